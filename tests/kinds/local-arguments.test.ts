import { flag, local, message, number, text } from "../../provider/schema/fields";
import { changeOf } from "../support/change";
import { diff } from "../../provider/resources/object/diff";
import { refresh } from "../../provider/resources/object/read";
import { update } from "../../provider/resources/object/update";
import { base, changes, made, platform, reasons, requests, run, thing } from "./made-up";

describe("an argument of the provider alone", () => {
  const fields = { guard: local(flag()), version: local(number()) };
  const inMessage = { oidc: message("Oidc", { id: text(), version: local(text()) }, { update: "members" }) };

  test("is in state as given, also where it is false or 0, and never sent", async () => {
    const kind = thing(fields);
    expect(reasons(kind, { guard: "x" })).toEqual(["guard must be true or false"]);
    const { id, inputs, state } = await made(kind, { ...base, guard: false, version: 0 });
    expect(inputs).toEqual({ ...base, guard: false, version: 0 });
    expect(state).toMatchObject({ guard: false, version: 0 });
    for (const name of ["guard", "version"]) expect(platform.in("things").get(id)).not.toHaveProperty(name);
    expect((await made(kind, { ...base, name: "b" })).state).not.toHaveProperty("guard");
  });

  test("changes by an update that writes nothing, also of a kind that cannot be updated", async () => {
    for (const calls of [{}, { update: "none" as const }, { update: "post" as const }]) {
      const kind = thing(fields, { calls });
      const { id, state } = await made(kind, { ...base, name: `a-${calls.update ?? "patch"}`, guard: true });
      const news = { ...state, guard: false };
      expect(diff({ kind, uid: id, olds: state, news }, run())).toEqual({
        changes: true,
        replaces: [],
        deleteBeforeReplace: false,
      });
      const sent = platform.seen.length;
      expect(await update({ kind, uid: id, olds: state, news }, run())).toEqual(news);
      expect(requests().slice(sent)).toEqual([`GET /iam/v2beta1/things/${id}`]);
      const { guard: _, ...dropped } = news;
      expect(await update({ kind, uid: id, olds: news, news: dropped }, run())).toEqual(dropped);
    }
  });

  test("survives a refresh, is never drift, and is never taken from the platform", async () => {
    const kind = thing(fields, {}, { show: (row) => ({ ...row, guard: true, version: 7 }) });
    const { id, inputs, state } = await made(kind, { ...base, guard: false });
    const seen = await refresh(kind, id, state, run());
    expect(seen).toEqual({ id, props: state, inputs });
    expect(diff({ kind, uid: id, olds: seen?.props ?? {}, news: inputs }, run()).changes).toBe(false);
    expect((await refresh(kind, id, base, run()))?.props).toEqual(base);
  });

  test("can be a member of a message", async () => {
    const kind = thing(inMessage);
    const { id, state } = await made(kind, { ...base, oidc: { id: "a", version: "1" } });
    expect(platform.in("things").get(id)).toMatchObject({ oidc: { id: "a" } });
    expect(state["oidc"]).toEqual({ id: "a", version: "1" });
    expect((await refresh(kind, id, state, run()))?.props["oidc"]).toEqual({ id: "a", version: "1" });
    const news = { ...state, oidc: { id: "a", version: "2" } };
    expect(changes(kind, state, news)).toMatchObject({ changes: true, replaces: [] });
    expect(changeOf(kind, state, news)).toEqual({ body: {}, mask: [] });
  });
});
