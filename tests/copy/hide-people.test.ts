import { hidePeople } from "../../copy/hide-people";

const hiddenNames = (...names: readonly string[]) =>
  hidePeople(new Map([["identities", names.map((name) => ({ uid: "u", name, description: `of ${name}` }))]]))
    .get("identities")
    ?.map(({ name, description }) => [name, description]) ?? [];

test.each([
  ["nina@acme.example"],
  ["NINA@ACME.EXAMPLE"],
  ["nina.o'brien@acme.example"],
  ["niña+test@exämple.example"],
  ["nina@intranet"],
  ["nina%40acme.example"],
  ["google-apps|nina@acme.example"],
])("no part of the address %s survives as a name or in a description", (name) => {
  const [[hidden = "", description = ""] = []] = hiddenNames(name) as string[][];
  expect(`${hidden} ${description}`).not.toMatch(/ni[nñ]a|brien|acme|intranet|exämple/i);
  expect(hidden).toMatch(/[0-9a-f]{32}@hidden\.invalid$/);
  expect(description).toBe(`of ${hidden}`);
});

test("other names stay, and equal addresses stay equal", () => {
  const names = ["deploy-bot", "acme.example", "reads access"];
  expect(hiddenNames(...names)).toEqual(names.map((name) => [name, `of ${name}`]));
  const [[one], [other], [another]] = hiddenNames("a@b.example", "a@b.example", "c@b.example") as [string[], string[], string[]];
  expect([one === other, one === another]).toEqual([true, false]);
});

test("the subject of a person, and of an issuer with which people log in, is hidden; that of a pipeline stays", () => {
  const logins = { uid: "p", oidc: { issuer: "https://login.example" } };
  const identity = (issuer: string, subject: string) => ({ uid: "r/i", name: "x", claimMatch: { issuer, subject } });
  const rows = hidePeople(
    new Map<string, object[]>([
      ["identityProviders", [logins]],
      ["identities", [identity("https://login.example", "00u1nina"), identity("https://ci.example", "repo:acme/shop")]],
      ["roleBindings", [{ uid: "b", identity: { uid: "a".repeat(40), subject: "00u2nina", issuer: "https://google.example" } }]],
    ]) as never,
  );
  expect(JSON.stringify([...rows])).not.toContain("nina");
  expect(JSON.stringify([...rows])).toContain("repo:acme/shop");
});
