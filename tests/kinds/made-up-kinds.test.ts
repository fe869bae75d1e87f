import { redact } from "../../provider/client/redact";
import { declare } from "../../provider/schema/declare";
import type { Fields } from "../../provider/schema/field";
import {
  checkOnly,
  createTime,
  enumeration,
  filled,
  flag,
  having,
  listOf,
  mapOf,
  message,
  name,
  number,
  optional,
  output,
  parent,
  setOf,
  text,
  time,
} from "../../provider/schema/fields";
import { unknownValue } from "../../provider/schema/inputs";
import { declaredInputs, differing, hideSecrets, type Inputs, stateOf } from "../../provider/schema/kind";
import { kinds } from "../../provider/kinds/kinds";
import { changeOf } from "../support/change";
import { check } from "../../provider/resources/object/check";
import { diff } from "../../provider/resources/object/diff";
import { refresh } from "../../provider/resources/object/read";
import { update } from "../../provider/resources/object/update";
import type { Manner } from "../support/generic-platform";
import { base, changes, lists, made, platform, reasons, requests, run, thing } from "./made-up";

describe("a set", () => {
  const kind = () => thing({ tags: setOf(text()) });

  test("is equal in every order, and with repetitions", () => {
    expect(changes(kind(), { tags: ["a", "b"] }, { tags: ["b", "a", "b"] }).changes).toBe(false);
    expect(changes(kind(), { tags: ["a", "b"] }, { tags: ["a"] }).changes).toBe(true);
  });

  test("is rejected with the path of the invalid item", () => {
    expect(reasons(kind(), { tags: ["a", 7] })).toEqual(["tags.1 must be a string"]);
    expect(reasons(kind(), { tags: [] })).toEqual(["tags must not be empty"]);
    expect(reasons(kind(), {})).toEqual(["tags is required"]);
  });

  test("passes while it or one of its items is unknown", () => {
    expect(reasons(kind(), { tags: unknownValue })).toEqual([]);
    expect(reasons(kind(), { tags: ["a", unknownValue] })).toEqual([]);
  });
});

test("a list differs in another order", () => {
  const kind = thing({ steps: listOf(text()) });
  expect(changes(kind, { steps: ["a", "b"] }, { steps: ["b", "a"] }).changes).toBe(true);
});

test("a map is one field: a mask names it whole, and clearing it sends an empty one", () => {
  const kind = thing({ labels: optional(mapOf(text())) });
  expect(changeOf(kind, { ...base, labels: { a: "1" } }, { ...base, labels: { a: "2", b: "" } })).toEqual({
    body: { labels: { a: "2", b: "" } },
    mask: ["labels"],
  });
  expect(changeOf(kind, { ...base, labels: { a: "1" } }, base)).toEqual({ body: { labels: {} }, mask: ["labels"] });
});

describe("a message", () => {
  const members = { id: optional(text()), pattern: optional(text()), note: optional(text()) };

  test("needs exactly one member of each group, also while one is unknown", () => {
    const kind = thing({ match: message("Match", members, { exactlyOne: [["id", "pattern"]] }) });
    expect(reasons(kind, { match: { note: "n" } })).toEqual([
      "exactly one of match.id and match.pattern must be set; none is set",
    ]);
    expect(reasons(kind, { match: { id: "a", pattern: "b" } })).toEqual([
      "exactly one of match.id and match.pattern must be set; id and pattern are set",
    ]);
    expect(reasons(kind, { match: { id: unknownValue } })).toEqual([]);
    expect(reasons(kind, {})).toEqual(["match is required: { id?, pattern?, note? }"]);
  });

  test("allows at most one member of a group that need not be set, also while one is unknown", () => {
    const kind = thing({ match: message("Match", members, { atMostOne: [["id", "pattern"]] }) });
    expect(reasons(kind, { match: { note: "n" } })).toEqual([]);
    expect(reasons(kind, { match: { id: unknownValue, note: "n" } })).toEqual([]);
    expect(reasons(kind, { match: { id: unknownValue, pattern: "b" } })).toEqual([
      "at most one of match.id and match.pattern must be set; id and pattern are set",
    ]);
  });

  test("with a misspelt member is rejected by its name", () => {
    const kind = thing({ match: message("Match", members) });
    expect(reasons(kind, { match: { patern: "b" } })).toEqual([
      '"patern" is not an argument of thing match; did you mean "pattern"?',
    ]);
  });

  test("is sent and masked whole, which removes a member added by hand", () => {
    const kind = thing({ match: message("Match", members) });
    expect(changeOf(kind, { ...base, match: { id: "a", added: { by: "hand" } } }, { ...base, match: { id: "a" } })).toEqual({
      body: { match: { id: "a" } },
      mask: ["match"],
    });
  });

  test("that is updated by members sends those that differ, in snake_case, and clears removed ones", () => {
    const inner = { clientId: text(), extraScopes: optional(setOf(text())), isOpen: optional(flag()) };
    const kind = thing({ oidc: message("Oidc", inner, { update: "members" }) });
    const olds = { ...base, oidc: { clientId: "a", extraScopes: ["s"], isOpen: true, added: 1 } };
    expect(changeOf(kind, olds, { ...base, oidc: { clientId: "b" } })).toEqual({
      body: { oidc: { clientId: "b", extraScopes: [], isOpen: false, added: null } },
      mask: ["oidc.client_id", "oidc.extra_scopes", "oidc.is_open", "oidc.added"],
    });
  });

  test("with an immutable member replaces the object when that member changes, and deletes it first since the key stays", () => {
    const kind = thing({ oidc: message("Oidc", { rule: having({ immutable: true }, optional(text())), id: text() }) });
    const olds = { oidc: { rule: "a", id: "x" } };
    expect(changes(kind, olds, { oidc: { rule: "b", id: "x" } })).toMatchObject({
      replaces: ["oidc"],
      deleteBeforeReplace: true,
    });
    expect(changes(kind, olds, { oidc: { rule: "a", id: "y" } })).toMatchObject({ changes: true, replaces: [] });
  });

  test("can be one of several forms of the object, which changes from one to the other in place", () => {
    const forms = { one: optional(text()), other: optional(message("Other", { x: text() })) };
    const kind = thing(forms, { exactlyOne: [["one", "other"]] });
    expect(reasons(kind, {})).toEqual(["exactly one of one and other must be set; none is set"]);
    expect(reasons(kind, { one: "a", other: { x: "b" } })).toHaveLength(1);
    expect(changeOf(kind, { ...base, one: "a" }, { ...base, other: { x: "b" } })).toEqual({
      body: { one: "", other: { x: "b" } },
      mask: ["one", "other"],
    });
  });
});

describe("a write-only value", () => {
  const secret = having({ writeOnly: true, secret: true }, optional(text()));
  const fields = { oidc: message("Oidc", { id: text(), secret }, { update: "members" }) };
  const manner: Manner = { show: ({ oidc, ...row }) => ({ ...row, oidc: { id: (oidc as Inputs)["id"] } }) };

  test("is kept as last sent, is never drift, and is sent again only when it changes", async () => {
    const kind = thing(fields, {}, manner);
    const { id, inputs, state } = await made(kind, { ...base, oidc: { id: "a", secret: "first-secret" } });
    expect(state["oidc"]).toEqual({ id: "a", secret: "first-secret" });
    const seen = await refresh(kind, id, state, run());
    expect(seen?.inputs["oidc"]).toEqual({ id: "a", secret: "first-secret" });
    expect(diff({ kind, uid: id, olds: seen?.props ?? {}, news: inputs }, run()).changes).toBe(false);

    const renamed = { ...inputs, oidc: { id: "b", secret: "first-secret" } };
    expect(changeOf(kind, state, renamed)).toEqual({ body: { oidc: { id: "b" } }, mask: ["oidc.id"] });
    const outs = await update(
      { kind, uid: id, olds: state, news: { ...inputs, oidc: { id: "a", secret: "second-secret" } } },
      run(),
    );
    expect(outs["oidc"]).toEqual({ id: "a", secret: "second-secret" });
    expect(platform.in("things").get(id)?.["oidc"]).toEqual({ id: "a", secret: "second-secret" });
  });

  test("that the program drops is cleared and leaves the state", async () => {
    const kind = thing({ token: secret }, {}, { show: ({ token: _, ...row }) => row });
    const { id, inputs, state } = await made(kind, { ...base, token: "fourth-secret" });
    const { token: _, ...without } = inputs;
    const outs = await update({ kind, uid: id, olds: state, news: without }, run());
    expect(outs).not.toHaveProperty("token");
    expect(platform.in("things").get(id)).toMatchObject({ token: "" });
    expect(diff({ kind, uid: id, olds: outs, news: without }, run()).changes).toBe(false);
  });

  test("that is a secret is encrypted with the message that contains it, and appears in no text", () => {
    const kind = thing(fields);
    expect(kind.secrets).toEqual(["oidc"]);
    hideSecrets(kind, { oidc: { secret: "third-secret" } });
    expect(redact("it was third-secret")).not.toContain("third-secret");
  });
});

test("a value that only the create returns is kept", async () => {
  const fields = { code: having({ once: true, secret: true }, output(text())), createTime: createTime() };
  const kind = thing(fields, {}, { showOnce: { code: "c-1" } });
  const { id, state } = await made(kind, base);
  expect(state["code"]).toBe("c-1");
  expect((await refresh(kind, id, state, run()))?.props["code"]).toBe("c-1");
  expect((await update({ kind, uid: id, olds: state, news: { ...base, name: "b" } }, run()))["code"]).toBe("c-1");
});

test.each<[string, Fields, Inputs]>([
  ["an enum", { of: optional(enumeration()) }, { of: "OF_UNSPECIFIED" }],
  ["an enum with a zero value of its own", { of: having({ unset: "NONE" }, optional(enumeration())) }, { of: "NONE" }],
  ["a flag", { of: optional(flag()) }, { of: false }],
  ["a number", { of: optional(number()) }, { of: 0 }],
  ["a flag that is true where it is unset", { of: having({ unset: true }, optional(flag())) }, { of: true }],
  ["a text", { of: optional(text()) }, { of: "" }],
  ["a list", { of: optional(listOf(text())) }, { of: [] }],
  ["a map", { of: optional(mapOf(text())) }, { of: {} }],
  ["a message", { of: optional(message("Of", { a: optional(text()) })) }, { of: { a: "" } }],
])("the zero value of %s equals an unset one", (_what, fields, zero) => {
  const kind = thing(fields);
  expect(changes(kind, zero, {}).changes).toBe(false);
  expect(changes(kind, {}, zero).changes).toBe(false);
});

test("an argument for the check alone is checked, and is neither sent nor in state", async () => {
  const kind = thing(
    { isSure: checkOnly(flag()) },
    { problems: ({ isSure }) => (isSure ? [] : [{ property: "isSure", reason: "sure?" }]) },
  );
  expect(reasons(kind, { isSure: false })).toEqual(["sure?"]);
  expect(reasons(kind, { isSure: "x" })).toEqual(["isSure must be true or false"]);
  const { id, inputs, state } = await made(kind, { ...base, isSure: true });
  expect([inputs, state]).toEqual([base, base]);
  expect(platform.in("things").get(id)).not.toHaveProperty("isSure");
});

test("another form of an object replaces it, deleted first since the key stays; a first form does not", () => {
  const form = (field: Fields[string]) => having({ form: true }, field as ReturnType<typeof text>);
  const kind = thing({ one: form(optional(text())), other: form(optional(message("Other", { x: text() }))) });
  expect(changes(kind, { one: "a" }, { other: { x: "b" } })).toMatchObject({
    replaces: ["one", "other"],
    deleteBeforeReplace: true,
  });
  expect(changes(kind, { one: "a" }, { one: "b" })).toMatchObject({ changes: true, replaces: [] });
  expect(changes(kind, {}, { one: "b" })).toMatchObject({ changes: true, replaces: [] });
});

test("times are compared as times, and keep their text", () => {
  const kind = thing({ until: optional(time()) });
  expect(changes(kind, { until: "2026-01-01T00:00:00.000Z" }, { until: "2026-01-01T01:00:00+01:00" }).changes).toBe(false);
  expect(changes(kind, { until: "2026-01-01T00:00:00.000Z" }, { until: "2026-01-01T00:00:00.001Z" }).changes).toBe(true);
  const { inputs } = check({ kind, olds: {}, news: { ...base, until: "2026-01-01T01:00:00+01:00" } }, run());
  expect(inputs["until"]).toBe("2026-01-01T01:00:00+01:00");
  expect(reasons(kind, { until: "tomorrow" })).toEqual(["until must be an RFC 3339 time such as 2026-01-31T12:00:00Z"]);
});

test("a value that the platform fills in never differs if the program omits it, also inside a message", () => {
  const kind = thing({ keys: message("Keys", { id: text(), until: filled(time()) }), tier: filled(enumeration()) });
  const olds = { keys: { id: "a", until: "2027-01-01T00:00:00Z" }, tier: "TIER_A" };
  expect(changes(kind, olds, { keys: { id: "a" } }).changes).toBe(false);
  expect(changes(kind, olds, { keys: { id: "a" }, tier: "TIER_B" }).changes).toBe(true);
  expect(changes(kind, olds, { keys: { id: "a", until: "2028-01-01T00:00:00Z" } }).changes).toBe(true);
});

test("a text that the platform rewrites equals the text that was sent", () => {
  const kind = thing({ host: having({ normalise: (value) => value.toLowerCase() }, text()) });
  expect(changes(kind, { host: "a.example" }, { host: "A.Example" }).changes).toBe(false);
});

test("an object is created under a parent of another kind, named by another input", async () => {
  platform.in("boxes").set("root/box", { uid: "root/box" });
  const kind = declare({
    name: "Thing",
    address: { noun: "thing", area: "iam", segment: "things" },
    parentAddress: { noun: "box", area: "iam", segment: "boxes" },
    fields: { boxUid: parent("box"), name: name() },
    naturalKey: ["name"],
    filters: { name: "name" },
    access: "gives",
  });
  const { id, state } = await made(kind, { boxUid: "root/box", name: "a" });
  expect(state).toEqual({ boxUid: "root/box", name: "a" });
  expect(requests()).toContain("GET /iam/v2beta1/boxes/root/box");
  expect(requests()).toContain("POST /iam/v2beta1/things/root/box");
  platform.in("things").delete(id);
  platform.in("things").set("root/box/9", { uid: "root/box/9", name: "b" });
  expect(await refresh(kind, id, state, run())).toBeUndefined();
});

test("an object can have the uid of its parent, as an account association has", async () => {
  const kind = thing({}, { sharesUid: true }, { uid: (place) => place });
  const { id, state } = await made(kind, base);
  expect({ id, state }).toEqual({ id: "root", state: base });
  expect((await refresh(kind, id, state, run()))?.props).toEqual(base);
});

test("a kind without a natural key creates as many equal objects as are declared", async () => {
  const kind = thing({ note: text() }, { naturalKey: [], filters: {} });
  const on = run();
  const [one, other] = [await made(kind, { ...base, note: "n" }, on), await made(kind, { ...base, note: "n" }, on)];
  expect(one.id).not.toBe(other.id);
  expect(platform.in("things").size).toBe(2);
});

test("without a PATCH, every change replaces the object", () => {
  const kind = thing({ note: optional(text()) }, { calls: { update: "none" } });
  expect(changes(kind, { note: "a" }, { note: "b" })).toMatchObject({ replaces: ["note"], deleteBeforeReplace: true });
  expect(changes(kind, {}, { name: "b" })).toMatchObject({ replaces: ["name"], deleteBeforeReplace: false });
});

test("an update that is a POST sends the whole object to its parent", async () => {
  const kind = thing({ digest: text() }, { calls: { update: "post" } }, { overwrites: true, refusesPatch: true });
  const { id, state } = await made(kind, { ...base, digest: "one" });
  expect(await update({ kind, uid: id, olds: state, news: { ...base, digest: "two" } }, run())).toEqual({
    ...base,
    digest: "two",
  });
  expect(platform.in("things").get(id)).toMatchObject({ digest: "two" });
});

test("a kind without createTime is created, read and compared", async () => {
  const kind = thing({ note: optional(text()) }, {}, { isTimeless: true });
  const { id, inputs, state } = await made(kind, { ...base, note: "n" });
  expect((await refresh(kind, id, state, run()))?.props).toEqual(state);
  expect(diff({ kind, uid: id, olds: state, news: inputs }, run()).changes).toBe(false);
});

test("constant parameters are part of every List", async () => {
  const kind = thing({}, { calls: { listParameters: { include_dates: true } } });
  await made(kind, base);
  expect(lists()).not.toEqual([]);
  expect(lists().map(({ query }) => query.get("include_dates"))).toEqual(lists().map(() => "true"));
});

test("a kind whose List is forbidden is created and read without it", async () => {
  const kind = thing({ createTime: createTime() }, { calls: { list: "unreliable" } }, { listStatus: 403 });
  const on = run();
  const objects = await Promise.all(["a", "b", "c", "d", "e"].map((each) => made(kind, { ...base, name: each }, on)));
  const reading = run();
  for (const { id, state } of objects) expect((await refresh(kind, id, state, reading))?.props).toEqual(state);
  expect(platform.in("things").size).toBe(5);
});

test("a List is requested in advance only for kinds that declare it", () => {
  const ahead = Object.values(kinds).filter(({ calls }) => calls.lookAhead);
  expect(ahead.map(({ collection }) => collection.segment)).toEqual(["groups", "identities", "roleBindings"]);
});

test("a field can have another name on the wire: in creates, answers, masks and bodies", async () => {
  const kind = thing({ syncConfig: having({ wire: "sync_config" }, optional(message("Sync", { source: text() }))) });
  const { id, state } = await made(kind, { ...base, syncConfig: { source: "x" } });
  expect(platform.in("things").get(id)).toMatchObject({ sync_config: { source: "x" } });
  expect(state["syncConfig"]).toEqual({ source: "x" });
  expect(changeOf(kind, state, { ...base, syncConfig: { source: "y" } })).toEqual({
    body: { sync_config: { source: "y" } },
    mask: ["sync_config"],
  });
});

test("undeclared fields of an answer are not kept", () => {
  const kind = thing({});
  const wire = { uid: "root/1", name: "a", stranger: 1 };
  expect(kind.observe(wire).inputs).toEqual(base);
  expect(stateOf(kind, kind.observe(wire))).toEqual(base);
  expect(differing(kind, kind.observe(wire), declaredInputs(kind, base))).toEqual([]);
});
