import { encrypted, lines, Organization, plain, type StateResource } from "./organization";

// The contents of states; the organisation is as it was made.

let organization: Organization;
let state: string;
beforeAll(async () => {
  organization = await Organization.start();
  state = await organization.state();
});
afterAll(() => organization.platform.close());

const uid = (name: string) => organization.uid(name);
const edited = (name: string, change: (resource: StateResource) => void, text = state) => organization.edited(text, name, change);
const found = async (...states: string[]) => lines((await organization.drift(states)).findings);
const scim = expect.stringMatching(/^SCIM of identity provider acme\/sso was not compared.* \(it was off when/) as string;

test("an organisation that is as its states have it has no drift, and all of it is covered", async () => {
  const { findings, coverage, notes } = await organization.drift([state]);
  expect([findings, notes]).toEqual([[], [scim]]);
  expect(coverage.length).toBe(11);
  for (const row of coverage) expect(row).toMatchObject({ unmanaged: 0, unreadable: 0 });
});

test("a note says that SCIM cannot be compared, also of a provider in no state; it fails no clean run", async () => {
  const on = edited("sso", ({ outputs }) => (outputs["scim"] = { enabled: true }));
  const { findings, notes } = await organization.drift([on]);
  expect([findings, notes]).toEqual([[], [expect.stringContaining("(it was on when")]]);
  const without = await organization.drift([organization.without(state, "sso")]);
  expect(without.notes).toEqual([expect.stringContaining("SCIM of identity provider acme/sso")]);
});

test("two stacks that manage one object are a duplicate, and together they cover the organisation", async () => {
  const people = await organization.state("people", (kind) => kind.startsWith("iam:"));
  const registry = await organization.state("registry", (kind) => !kind.startsWith("iam:"));
  expect(await found(people, registry)).toEqual([]);
  const both = await organization.state("other", (kind, row) => kind === "iam:Group" && row.uid === uid("ops"));
  expect((await organization.drift([people, registry, both])).findings).toMatchObject([
    { class: "duplicate", kind: "iam:Group", path: "acme/ops", stack: "acme/other" },
  ]);
  expect(await found(people)).toEqual([
    "info unmanaged registry:Tag acme/engineering/images/latest",
    "low unmanaged registry:Repo acme/engineering/images",
    "medium unmanaged events:Subscription acme",
  ]);
});

const everyOrder = (...states: readonly [string, string]) => [states, states.toReversed()];

test("the same state twice is one state; two exports of one stack that differ are never clean, in whatever order they come", async () => {
  expect(await found(state, state)).toEqual([]);
  for (const states of everyOrder(state, state.replaceAll("Everyone who builds", "Everyone"))) {
    const { findings } = await organization.drift(states);
    expect(lines(findings)).toEqual(["low changed iam:Group acme/engineering", "low duplicate iam:Group acme/engineering"]);
    expect(findings.find((finding) => finding.class === "duplicate")?.message).toMatch(
      /acme\/engineering .*Pass only the newer one/,
    );
  }
});

test("of an object in two stacks, each difference is found, in whatever order the states come", async () => {
  const only = await organization.state("two", (kind, row) => kind === "iam:Group" && row.uid === uid("ops"));
  for (const states of everyOrder(
    state,
    edited("ops", ({ inputs }) => (inputs["description"] = "other"), only),
  ))
    expect(await found(...states)).toEqual(["low changed iam:Group acme/ops", "low duplicate iam:Group acme/ops"]);
});

test("an export with secrets beside one without them is the same stack: the one that shows more is compared", async () => {
  const exportWith = (description: object, clientSecret: object) => {
    const sso = edited("sso", ({ inputs, outputs }) => {
      for (const values of [inputs, outputs]) values["oidc"] = { ...(values["oidc"] as object), clientSecret };
    });
    return edited("eng", ({ inputs }) => (inputs["description"] = description), sso);
  };
  const hidden = exportWith(encrypted, encrypted);
  const [shown, changed] = ["Everyone who builds", "Nobody"].map((text) =>
    exportWith(plain(text), plain("the secret of the client")),
  );
  for (const states of everyOrder(hidden, shown ?? ""))
    expect(await organization.drift(states)).toMatchObject({ findings: [], notes: [scim] });
  expect(await found(hidden, changed ?? "")).toEqual(["low changed iam:Group acme/engineering"]);
});

test("an older export with secrets does not hide what a newer one without them may have changed", async () => {
  const exported = (time: string, description: object) => {
    const { deployment } = JSON.parse(edited("eng", ({ inputs }) => (inputs["description"] = description))) as {
      deployment: object;
    };
    return JSON.stringify({ deployment: { manifest: { time }, ...deployment } });
  };
  const [older, newer] = ["2026-11-22T10:00:00Z", "2026-11-22T11:00:00Z"];
  const [shown, hidden] = [plain("Everyone who builds"), exported(newer, encrypted)];
  expect(await found(exported(newer, shown), hidden)).toEqual([]);
  expect(await found(exported(older, shown), hidden)).toEqual(["low duplicate iam:Group acme/engineering"]);
});

test("only what is below the root is compared, and what is not is said", async () => {
  const { findings, notes } = await organization.drift([state], "eng");
  expect([findings, notes]).toEqual([[], [expect.stringMatching(/^\d+ objects .* not in this group/)]]);
});

test("resources of a type that is newer than this release are unreadable, never clean", async () => {
  const { findings } = await organization.drift([organization.withRobot(state)]);
  expect(lines(findings)).toEqual(["high unreadable iam:Robot acme"]);
  expect(findings[0]?.message).toContain("platform:iam:Robot");
});

describe("what is encrypted in the state", () => {
  const described = (description: unknown) => edited("eng", ({ inputs }) => (inputs["description"] = description));

  test("is not compared, which is said, and no secret is shown", async () => {
    const hidden = await organization.drift([described(encrypted)]);
    const note = expect.stringMatching(/^Not compared, .* description of urn:.*--show-secrets/) as string;
    expect([hidden.findings, hidden.notes]).toEqual([[], [note, scim]]);
    const { findings } = await organization.drift([described(plain("not for everybody"))]);
    expect(findings).toMatchObject([
      { class: "changed", fields: [{ path: "description", declared: "[secret]", actual: "[secret]" }] },
    ]);
    expect(JSON.stringify(findings)).not.toContain("not for everybody");
  });

  test.each([
    ["nightly-editor", "roleUid", "iam:RoleBinding acme"],
    ["puller", "capabilities", "iam:Role acme/puller"],
    ["nightly", "claimMatch", "iam:Identity acme/ops/nightly"],
  ])("and decides who has access is unreadable, never clean: %s", async (name, field, where) => {
    const hidden = edited(name, ({ inputs, outputs }) => {
      for (const values of [inputs, outputs]) values[field] = encrypted;
    });
    const { findings, notes } = await organization.drift([hidden]);
    expect([lines(findings), notes]).toEqual([[`high unreadable ${where}`], [scim]]);
    expect(findings[0]?.message).toMatch(new RegExp(`${field} of .* encrypted.*--show-secrets`));
  });

  test("as the members of a GroupAccess are unreadable, and their bindings are still its own", async () => {
    const bindings = { puller: { nightly: uid("nightly-puller") } };
    const outputs = { parentUid: uid("ops"), access: encrypted, roleUids: { puller: uid("puller") }, bindings };
    expect((await organization.drift([organization.withAccess(state, outputs, {})])).findings).toMatchObject([
      { class: "unreadable", kind: "iam:RoleBinding", path: "acme/ops", urn: expect.stringContaining("GroupAccess::") as string },
    ]);
  });
});

test("a resource that the engine would forget with another one, without a delete, is noted", async () => {
  const anchor = "urn:pulumi:prod::acme::acme:index:Anchor::anchor";
  const { findings, notes } = await organization.drift([edited("nightly-editor", (each) => (each.deletedWith = anchor))]);
  expect(findings).toEqual([]);
  expect(notes).toContainEqual(expect.stringMatching(/RoleBinding::.*deletedWith.*Anchor::anchor/));
});

test("what a replacement left behind still gives access, and is found", async () => {
  const { findings } = await organization.drift([edited("nightly-editor", (each) => (each.delete = true))]);
  expect(lines(findings)).toEqual(["medium unmanaged iam:RoleBinding acme"]);
  expect(findings[0]?.message).toMatch(/is editor of acme .* replaced by urn:\S+ .*`pulumi up`/);
});

test("what a program only reads is compared with the state that manages it, if another one does", async () => {
  const reader = edited("nightly-editor", (resource) => {
    resource.external = true;
    resource.outputs["roleUid"] = uid("viewer");
  });
  expect(await found(reader, state)).toEqual([]);
});
