import fc from "fast-check";
import { invalidFields, refusal, useBench } from "./support";

const bench = useBench();

const claimMatch = { issuer: "https://i.example", subject: "s", claims: { a: "1", b: "2" } };

async function identity(): Promise<string> {
  const body = { name: bench.name("id"), description: "before", company: "acme", claimMatch };
  return await bench.make("identities", bench.root, body);
}

async function patched(query: string, body: unknown) {
  return bench.api("PATCH", `/iam/v2beta1/identities/${await identity()}${query}`, body);
}

const both = { description: "after", company: "other" };

test.each([
  ["only named fields change", "?updateMask=description", both, { description: "after", company: "acme" }],
  ["several paths in one parameter", "?updateMask=description,company", both, both],
  ["the snake_case parameter", "?update_mask=description", both, { description: "after", company: "acme" }],
  ["a named field that the body lacks is cleared", "?updateMask=company", {}, { company: "", description: "before" }],
  ["without a mask the keys of the body count", "", { description: "after" }, { description: "after", company: "acme" }],
  ["an empty value clears", "", { description: "" }, { description: "" }],
  ["null clears", "", { description: null }, { description: "" }],
  ["an empty body changes nothing", "", {}, { description: "before", company: "acme" }],
  ["fields of the service are passed over", "", { uid: "x", createTime: null, description: "after" }, { description: "after" }],
  ["an explicit path of the service is passed over", "?updateMask=uid,description", both, { description: "after" }],
])("%s", async (_rule, query, body, expected) => {
  expect(await patched(query, body)).toMatchObject({ status: 200, body: expected });
});

test.each([
  ["a leaf leaves its siblings alone", "", { claimMatch: { subject: "t" } }, { ...claimMatch, subject: "t", claimPatterns: {} }],
  [
    "an explicit leaf",
    "?updateMask=claim_match.subject",
    { claimMatch: { subject: "t", issuer: "no" } },
    { ...claimMatch, subject: "t", claimPatterns: {} },
  ],
  [
    "a map is replaced as a whole",
    "",
    { claimMatch: { claims: { c: "3" } } },
    { ...claimMatch, claims: { c: "3" }, claimPatterns: {} },
  ],
  [
    "naming the message replaces it",
    "?updateMask=claim_match",
    { claimMatch: { issuer: "https://j.example", subjectPattern: "x" } },
    { issuer: "https://j.example", subjectPattern: "x", claims: {}, claimPatterns: {} },
  ],
  [
    "a member of a oneof takes the place of the other",
    "?updateMask=claim_match.issuer,claim_match.issuer_pattern",
    { claimMatch: { issuerPattern: "https://.*" } },
    { issuerPattern: "https://.*", subject: "s", claims: claimMatch.claims, claimPatterns: {} },
  ],
])("claim match: %s", async (_rule, query, body, expected) => {
  expect((await patched(query, body)).body["claimMatch"]).toEqual(expected);
});

test("* replaces everything: what the body lacks is reset", async () => {
  const body = { name: "whole", claimMatch: { issuer: "https://i.example", subject: "s" } };
  expect(await patched("?updateMask=*", body)).toMatchObject({
    status: 200,
    body: { name: "whole", description: "", company: "" },
  });
});

test.each([
  ["an unknown key in the body", "", { colour: "red" }, "could not find field"],
  ["one beside an explicit mask", "?updateMask=description", { description: "x", colour: "red" }, "could not find field"],
  ["an unknown path", "?updateMask=colour", { description: "x" }, "colour"],
  ["a camelCase path", "?updateMask=claimMatch", { claimMatch }, "claimMatch"],
  ["a path below a scalar", "?updateMask=description.x", { description: "x" }, "description.x"],
  ["a path into a map", "?updateMask=claim_match.claims.a", { claimMatch }, "claims.a"],
  ["an empty mask", "?updateMask=", { description: "x" }, ""],
  ["a repeated mask", "?updateMask=name&updateMask=description", { description: "x" }, "too many values"],
  ["a value of the wrong type", "", { description: 5 }, "invalid value"],
  ["clearing what is required", "", { name: "" }, "name"],
  ["clearing the claim match", "", { claimMatch: null }, "claim_match"],
])("%s is an invalid argument", async (_what, query, body, text) => {
  expect(await patched(query, body)).toMatchObject({
    status: 400,
    body: { code: 3, message: expect.stringContaining(text) as unknown },
  });
});

describe("what a mask does not name is no reason to refuse an update", () => {
  const patch = (path: string, body: object) => bench.api("PATCH", path, body);

  test("a name that breaks the rule", async () => {
    const { uid } = await bench.create("groups", bench.root, { name: "Against The Rules" });
    const path = `/iam/v2/groups/${uid}`;
    expect(await patch(path, { description: "after" })).toMatchObject({ status: 200, body: { description: "after" } });
    expect(await patch(path, { name: "Still Against" })).toMatchObject(invalidFields("name"));
    expect(await patch(`${path}?updateMask=*`, { name: "Still Against" })).toMatchObject(invalidFields("name"));
  });

  test("a required member that is not set, also in a message", async () => {
    const { uid } = await bench.create("identities", bench.root, {
      name: "unmatched",
      claimMatch: { issuer: "https://i.example" },
    });
    const path = `/iam/v2/identities/${uid}`;
    expect(await patch(path, { claimMatch: { issuer: "https://j.example" } })).toMatchObject({ status: 200 });
    expect(await patch(path, { claimMatch: { issuer: "" } })).toMatchObject(invalidFields("claim_match.issuer"));
    expect(await patch(`${path}?updateMask=claim_match`, { claimMatch: { issuer: "https://k.example" } })).toMatchObject(
      invalidFields("claim_match.subject"),
    );
  });

  test("but what it makes wrong elsewhere is", async () => {
    const uid = await bench.make("identities", bench.root, { name: "served", servicePrincipal: "SERVICE_PRINCIPAL_INGESTER" });
    expect(await patch(`/iam/v2/identities/${uid}`, { servicePrincipal: null })).toMatchObject(invalidFields("claim_match"));
  });

  test("a role or a repository that is gone", async () => {
    const defaultRole = await bench.make("roles", bench.root, { name: "passing", capabilities: ["CAP_REPO_LIST"] });
    const oidc = { issuer: "https://i.example", clientId: "c", clientSecret: "s" };
    const provider = await bench.make("identityProviders", bench.root, { name: "provider", defaultRole, oidc });
    await bench.delete("roles", defaultRole);
    expect(await patch(`/iam/v2/identityProviders/${provider}`, { description: "after" })).toMatchObject({ status: 200 });
    const source = await bench.create("repos", bench.root, { name: "source" });
    const copy = await bench.ok("POST", `/registry/v2/repos/${bench.root}`, {
      name: "copy",
      sync_config: { source: source.uid },
    });
    await bench.delete("repos", source.uid);
    expect(await patch(`/registry/v2/repos/${String(copy["uid"])}`, { description: "after" })).toMatchObject({ status: 200 });
  });

  test("a name that another has too", async () => {
    await bench.settings({ duplicateNames: true });
    const [uid] = [await bench.group("double"), await bench.group("double")];
    await bench.restoreSettings();
    expect(await patch(`/iam/v2/groups/${uid}`, { description: "after" })).toMatchObject({ status: 200 });
    const third = await bench.group("single");
    expect(await patch(`/iam/v2/groups/${third}`, { name: "double" })).toMatchObject(refusal.exists);
  });
});

test("a refused update changes nothing", async () => {
  const uid = await identity();
  const path = `/iam/v2beta1/identities/${uid}`;
  const before = await bench.ok("GET", path);
  await bench.api("PATCH", path, { description: "x", name: "" });
  expect(await bench.ok("GET", path)).toEqual(before);
});

test("an update moves updateTime and leaves createTime", async () => {
  const uid = await identity();
  const path = `/iam/v2beta1/identities/${uid}`;
  const before = await bench.ok("GET", path);
  await bench.settings({ clockOffsetSeconds: 5 });
  const after = await bench.ok("PATCH", path, { description: "later" });
  await bench.settings({ clockOffsetSeconds: 0 });
  expect(after["createTime"]).toBe(before["createTime"]);
  expect(Date.parse(String(after["updateTime"]))).toBeGreaterThanOrEqual(Date.parse(String(before["updateTime"])) + 5000);
});

test("whatever mask and body, exactly the named fields change, to what the body says or to nothing", async () => {
  const uid = await identity();
  const path = `/iam/v2beta1/identities/${uid}`;
  const value = fc.option(fc.stringMatching(/^[a-z ]{0,8}$/), { nil: undefined });
  await fc.assert(
    fc.asyncProperty(
      fc.record({ description: value, company: value }),
      fc.subarray(["description", "company"], { minLength: 1 }),
      fc.boolean(),
      async (body, mask, isExplicit) => {
        const before = await bench.ok("GET", path);
        const named = isExplicit ? mask : Object.entries(body).flatMap(([name, given]) => (given === undefined ? [] : [name]));
        const after = await bench.ok("PATCH", path + (isExplicit ? `?updateMask=${mask.join(",")}` : ""), body);
        const expected = Object.entries(body).filter(([name]) => named.includes(name));
        expect(after).toEqual({
          ...before,
          updateTime: after["updateTime"],
          ...Object.fromEntries(expected.map(([name, given]) => [name, given ?? ""])),
        });
      },
    ),
    { seed: 20260105, numRuns: 100 },
  );
});
