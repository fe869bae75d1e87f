import { useBench } from "./support";

const bench = useBench();
let team: string;
let identity: string;
let token: string;
/** May list and delete groups and list bindings in the team, nothing else, and nothing outside of it. */
beforeAll(async () => {
  team = await bench.group("team");
  identity = await bench.someone("runner");
  const capabilities = ["CAP_IAM_GROUPS_LIST", "CAP_IAM_GROUPS_DELETE", "CAP_IAM_ROLE_BINDINGS_LIST"];
  const role = await bench.ok("POST", `/iam/v2beta1/roles/${bench.root}`, { name: "remover", capabilities });
  await bench.bind(team, identity, String(role["uid"]));
  token = await bench.tokenOf(identity);
});

const status = async (method: string, path: string, body?: object, as = token) =>
  (await bench.api(method, `/iam/v2beta1/${path}`, body, as)).status;

/** Calls that the caller may not make, each on an object that exists. */
async function deniedCalls(): Promise<number[]> {
  const elsewhere = await bench.group(bench.name("elsewhere"));
  const inTeam = await bench.someone(bench.name("member"), team);
  return [
    await status("GET", `groups/${elsewhere}`),
    await status("DELETE", `groups/${elsewhere}`),
    await status("POST", `groups/${elsewhere}`, { name: "child" }),
    await status("PATCH", `groups/${team}`, { description: "x" }),
    await status("GET", `identities/${inTeam}`),
    await status("DELETE", `identities/${inTeam}`),
  ];
}

test("hidden: whatever a caller lacks the capability for is not found", async () => {
  await bench.settings({ denials: "hidden" });
  expect(await deniedCalls()).toEqual([404, 404, 404, 404, 404, 404]);
});

test("refused: whatever a caller lacks the capability for is forbidden, and what does not exist is not found", async () => {
  await bench.settings({ denials: "refused" });
  expect(await deniedCalls()).toEqual([403, 403, 403, 403, 403, 403]);
  expect(await status("GET", `groups/${bench.root}/0123456789abcdef`)).toBe(404);
});

test("each capability may be denied in its own way", async () => {
  await bench.settings({ denials: { CAP_IAM_IDENTITY_LIST: "hidden", "*": "refused" } });
  expect(await deniedCalls()).toEqual([403, 403, 403, 403, 404, 403]);
});

test("capabilities outside the denials keep the default", async () => {
  await bench.settings({ denials: { CAP_IAM_IDENTITY_LIST: "hidden" } });
  expect(await deniedCalls()).toEqual([403, 403, 403, 403, 404, 403]);
});

test.each(["hidden", "refused"])("%s: a role lost halfway through denies what it allowed", async (denials) => {
  await bench.settings({ denials });
  const leaver = await bench.someone(`leaver ${denials}`);
  const binding = await bench.bind(bench.root, leaver, await bench.role("owner"));
  const own = await bench.tokenOf(leaver);
  const expected = denials === "hidden" ? 404 : 403;
  expect(await status("DELETE", `roleBindings/${binding}`, undefined, own)).toBe(200);
  expect(await status("GET", `groups/${team}`, undefined, own)).toBe(expected);
  expect(await status("DELETE", `groups/${team}`, undefined, own)).toBe(expected);
});

test.each(["hidden", "refused"])("%s: a List of a place that the caller does not see is empty", async (denials) => {
  await bench.settings({ denials });
  const list = (path: string) => bench.ok("GET", `/iam/v2beta1/${path}`, undefined, token);
  expect(await list(`identities?uidp.children_of=${bench.root}`)).toMatchObject({ identities: [], totalCount: "0" });
  expect(await list(`identities?uidp.children_of=${team}`)).toMatchObject({ identities: [], totalCount: "0" });
  expect(await list(`groups?uidp.ids=${team}&uidp.ids=${bench.root}`)).toMatchObject({
    groups: [{ uid: team }],
    totalCount: "1",
  });
});

test.each([{ denials: "sometimes" }, { denials: { groups: "hidden" } }, { denials: { "*": "x" } }, { tokenGrants: "none" }])(
  "%j is rejected",
  async (patch) => {
    expect((await bench.adminReply("PATCH", "settings", patch)).status).toBe(400);
  },
);

test("a live token follows the bindings, a snapshot keeps those of its exchange", async () => {
  const person = await bench.someone("person");
  const binding = await bench.bind(team, person, await bench.role("viewer"));
  const live = await bench.tokenOf(person);
  await bench.settings({ tokenGrants: "snapshot" });
  const oidcToken = await bench.oidcToken({ subject: "person" });
  const exchanged = await bench.exchange(oidcToken, { identity: person, aud: bench.baseUrl });
  const snapshot = String(exchanged.body["token"]);
  await bench.ok("DELETE", `/iam/v2beta1/roleBindings/${binding}`);
  expect(await status("GET", `groups/${team}`, undefined, live)).toBe(404);
  expect(await status("GET", `groups/${team}`, undefined, snapshot)).toBe(200);
  await bench.ok("DELETE", `/iam/v2beta1/identities/${person}`);
  expect(await status("GET", `groups/${team}`, undefined, live)).toBe(401);
  expect(await status("GET", `groups/${team}`, undefined, snapshot)).toBe(200);
});

test("what a snapshot lacks takes a new token", async () => {
  await bench.settings({ tokenGrants: "snapshot" });
  const person = await bench.someone("latecomer");
  const before = await bench.tokenOf(person);
  await bench.bind(team, person, await bench.role("viewer"));
  expect(await status("GET", `groups/${team}`, undefined, before)).toBe(404);
  const later = await bench.tokenOf(person);
  expect(await status("GET", `groups/${team}`, undefined, later)).toBe(200);
  await bench.adminReply("POST", "revocations");
  expect(await status("GET", `groups/${team}`, undefined, later)).toBe(401);
});
