import type { Collection, WireObject } from "../../provider/client/collection";
import { groups, identities, roleBindings } from "../support/collections";
import { failureFor } from "../../provider/host/failure";
import { CreatedButFailed } from "../../provider/resources/creating/created-but-failed";
import { create } from "../../provider/resources/creating/create";
import { type Inputs, type Kind } from "../../provider/schema/kind";
import { get, refresh } from "../../provider/resources/object/read";
import { update } from "../../provider/resources/object/update";
import { startServer } from "../support/http-double";
import { clientOf, group as groupRow } from "../client/support";
import { declare, failureOf, kinds, ResourceFixture, roleBinding } from "../support/resource-fixture";
import { expectFailure } from "../support/failures";

const fixture = ResourceFixture.forFile();
/** Lets `lie` change the JSON of every successful answer to `method`. */
function lieTo(method: string, lie: (answer: Record<string, unknown>) => object): void {
  fixture.proxy.interfere = async (request, forward) => {
    const answer = await forward();
    if (request.method !== method || answer.status !== 200) return answer;
    return { ...answer, body: JSON.stringify(lie(JSON.parse(answer.body) as Record<string, unknown>)) };
  };
}

const foreign = "fedcba9876543210fedcba9876543210fedcba98";

describe("a create that is answered with an object which it cannot have made", () => {
  /** Uids that the answer claims, by their place. */
  const claims: [string, (parent: string) => string][] = [
    ["another organisation", () => `${foreign}/0123456789abcdef`],
    ["the root of another organisation", () => foreign],
    ["the parent itself", (parent) => parent],
    ["the root of this organisation", (parent) => parent.split("/", 1).join("")],
  ];

  describe.each(kinds)("(%s)", (_noun, kind) => {
    // An object that shares the uid of its parent is no stranger there.
    const strange = claims.filter(([where]) => !kind.sharesUid || where !== "the parent itself");
    test.each(strange)("in %s fails without an id, so that no later run deletes that object", async (_where, claim) => {
      const parent = await fixture.place(kind);
      const inputs = await fixture.inputs(kind, parent);
      const uid = claim(parent);
      lieTo("POST", (answer) => ({ ...answer, uid, group: null, identityProviderUid: null }));
      const error = await failureOf(declare(kind, inputs, fixture.run()));
      expectRefused(error, uid, parent);
    });

    test("that existed before fails without an id, though it is in the same organisation", async () => {
      const [parent, other] = [await fixture.place(kind), await fixture.place(kind)];
      const victim = await fixture.colleague(kind, await fixture.inputs(kind, other), {});
      const { createTime: _, ...older } = victim;
      lieTo("POST", () => ({ ...older, createTime: "2020-01-01T00:00:00Z" }));
      const error = await failureOf(declare(kind, await fixture.inputs(kind, parent), fixture.run()));
      expectRefused(error, victim.uid, parent);
    });

    test("of another resource of the same run fails without an id, so that they do not share one", async () => {
      const run = fixture.run();
      const place = await fixture.place(kind);
      const first = await declare(kind, await fixture.inputs(kind, place), run);
      const parent = kind.sharesUid ? await fixture.place(kind) : place;
      lieTo("POST", (answer) => ({ ...answer, uid: first.id }));
      const error = await failureOf(declare(kind, await fixture.inputs(kind, parent), run));
      expectRefused(error, first.id, parent);
    });

    test.each(["../../root", "a/../b", "\u001b[2J", `${foreign}/${"0".repeat(5_000)}`, "", "__proto__\0"])(
      "by %j, which is not a uid, is looked up; state has the true uid, or none if a value is lost with the answer",
      async (uid) => {
        const parent = await fixture.place(kind);
        lieTo("POST", (answer) => ({ ...answer, uid }));
        const created = declare(kind, await fixture.inputs(kind, parent), fixture.run());
        if (kind.shownOnce.length > 0) {
          // The value that only this answer had is lost with it, so the object is of no use: the error names it.
          const error = await failureOf(created);
          const [made, ...others] = await fixture.children(kind, parent);
          expect([error["code"], others]).toEqual(["OUTCOME_UNKNOWN", []]);
          expect(error.message).toContain(`Delete ${made?.uid ?? "?"} on the platform, then run again.`);
          expect(failureFor(error)).not.toHaveProperty("id");
          return;
        }
        const { id } = await created;
        expect((await fixture.children(kind, parent)).map((child) => child.uid)).toEqual([id]);
      },
    );
  });

  function expectRefused(error: Error & Record<string, unknown>, uid: string, parent: string): void {
    expect(error).not.toBeInstanceOf(CreatedButFailed);
    expect(error).toMatchObject({ code: "WRONG_OBJECT" });
    expect(error.message).toContain(uid);
    expect(error.message).toContain(`Look under ${parent}`);
    expect(failureFor(error)).not.toHaveProperty("id");
  }
});

describe("an answer about another object than the one asked for never reaches state", () => {
  async function existing(kind: Kind): Promise<{ id: string; outs: Inputs; inputs: Inputs }> {
    const inputs = await fixture.inputs(kind, await fixture.place(kind));
    return { ...(await create(kind, inputs, fixture.run())), inputs };
  }

  test.each(kinds)("on refresh and get of a %s", async (_noun, kind) => {
    const { id } = await existing(kind);
    const other = await existing(kind);
    lieTo("GET", (answer) =>
      answer["uid"] === id ? { ...answer, uid: other.id, group: null, identityProviderUid: null } : answer,
    );
    expect(await failureOf(refresh(kind, id, {}, fixture.run()))).toMatchObject({ code: "WRONG_OBJECT" });
    expect(await failureOf(get(kind, id, fixture.run()))).toMatchObject({ code: "WRONG_OBJECT" });
  });

  test.each(kinds.filter(([, { calls }]) => calls.update === "patch"))("on update of a %s", async (_noun, kind) => {
    const { id, outs, inputs } = await existing(kind);
    const changed =
      kind === roleBinding ? { ...inputs, identityUid: await fixture.identity() } : { ...inputs, description: "new" };
    lieTo("PATCH", (answer) => ({ ...answer, uid: `${foreign}/0123456789abcdef`, group: null, identityProviderUid: null }));
    expect(await failureOf(update({ kind, uid: id, olds: outs, news: changed }, fixture.run()))).toMatchObject({
      code: "WRONG_OBJECT",
    });
  });

  test.each<[string, object, RegExp]>([
    ["another identity than it names", { identityUid: `${foreign}/1` }, /names two identities/],
    ["another role than it names", { roleUid: foreign }, /names two roles/],
    ["a group that it is not in", { group: { uid: foreign, name: "x" } }, /names a group that it is not in/],
    ["an identity whose uid is none", { identity: { uid: "../x", name: "x" } }, /identity\.uid: is not a uid/],
  ])("by a role binding expanded with %s", async (_what, lie, message) => {
    const { id } = await existing(roleBinding);
    lieTo("GET", (answer) => (answer["uid"] === id ? { ...answer, ...lie } : answer));
    const error = await failureOf(refresh(roleBinding, id, {}, fixture.run()));
    expect(error).toMatchObject({ code: "UNEXPECTED_ANSWER" });
    expect(error.message).toMatch(message);
  });
});

describe("a List with wrong rows", () => {
  const keyed = kinds.filter(([, kind]) => kind.naturalKey.length > 0);
  test.each(keyed)("about a %s of another organisation with the declared key adopts nothing", async (_noun, kind) => {
    const parent = await fixture.place(kind);
    const inputs = await fixture.inputs(kind, parent);
    const stranger = {
      ...inputs,
      identityProviderUid: null,
      uid: `${foreign}/0123456789abcdef`,
      createTime: "2030-01-01T00:00:00Z",
    };
    lieTo("GET", (answer) => {
      const { segment } = kind.collection;
      return Array.isArray(answer[segment]) ? { ...answer, [segment]: [...(answer[segment] as object[]), stranger] } : answer;
    });
    const { id } = await declare(kind, { ...inputs, adopt: true }, fixture.run());
    expect((await fixture.children(kind, parent)).map((child) => child.uid)).toEqual([id]);
  });

  test.each<Collection<WireObject>>([groups, identities, roleBindings])(
    "has rows outside the scope asked for taken out ($segment)",
    async (collection) => {
      const rows = ["root/a/1", "root/a", "root/ab/1", "other/a/1", "root"].map((uid) => groupRow(uid));
      const server = await startServer(() => ({ body: { [collection.segment]: rows, nextPageToken: "", totalCount: "5" } }));
      const listed = await clientOf(server.url).list(collection, { descendantsOf: "root/a" });
      expect(listed.map((row) => row.uid)).toEqual(["root/a/1"]);
    },
  );

  const rows = (count: number) => Array.from({ length: count }, (_, index) => groupRow(`root/${index}`));

  test.each<[string, object, RegExp]>([
    ["a page of 10,000 rows", { groups: rows(10_000), totalCount: "10000", nextPageToken: "" }, /a page of 10000 rows/],
    ["a page token of 10 MB", { groups: rows(200), nextPageToken: "x".repeat(10_000_000) }, /nextPageToken/],
    ["a row whose uid leads elsewhere", { groups: [{ uid: "root/../x" }] }, /is not a uid/],
  ])("with %s is rejected", async (_what, body, message) => {
    const server = await startServer(() => ({ body }));
    const error = await expectFailure(clientOf(server.url).list(groups, {}), "UNEXPECTED_ANSWER", message);
    expect(error.message.length).toBeLessThan(2_500);
    expect(server.seen).toHaveLength(1);
  });

  test.each([String(2 ** 60), "9".repeat(400)])(
    "with a total of %s is read by its pages, and ends where they end",
    async (total) => {
      const pages = [rows(200), [groupRow("root/last")]];
      const server = await startServer((_seen, count) => ({
        body: { groups: pages[count - 1] ?? [], totalCount: total, nextPageToken: count === 1 ? "more" : "" },
      }));
      expect(await clientOf(server.url).list(groups, {})).toHaveLength(201);
      expect(server.seen).toHaveLength(2);
    },
  );
});
