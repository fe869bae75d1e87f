import { copyOrganization } from "../../copy";
import { loadRows, shownRows } from "../../emulator/copy/load";
import { serve } from "../../emulator/serving/serving";
import { kindNames } from "../../inventory/kinds";
import { connect, readConfiguration } from "../../provider/credentials";
import { Random } from "../reliability/random";
import { call } from "../support/test-platform";
import { hiddenPerson, randomRows } from "./random-organization";
import { exchangeAt } from "./support";

const root = "ef".repeat(20);

/** A platform newer than this release, with a random organisation. */
async function platformOf(seed: number) {
  const rows = randomRows(new Random(seed), root);
  const serving = await serve({
    port: 0,
    fill(_database, { store }) {
      expect(loadRows(store, rows, new Date().toISOString())).toEqual([]);
      return { organization: root, identity: `${root}/reader` };
    },
  });
  const { token } = await serving.services.apiTokens.issue(`${root}/reader`, [serving.origin]);
  const client = connect(
    readConfiguration(undefined, {
      PLATFORM_BASE_URL: serving.origin,
      PLATFORM_TOKEN: token,
      PLATFORM_IDENTITY: `${root}/reader`,
    }),
  );
  return { rows, serving, client };
}

const seeds = Array.from({ length: 20 }, (_, index) => index + 1);

test.each(seeds)("a copy of the random organisation %i is exact, with what this release does not know", async (seed) => {
  const { rows, serving, client } = await platformOf(seed);
  const standsInFor = { baseUrl: serving.origin, authUrl: serving.origin, audience: serving.origin };
  const copy = await copyOrganization({ client, standsInFor, organizations: [root] });
  expect(copy.inexact).toEqual([]);
  // Stated once more by the rows themselves, because platform and copy share their code.
  for (const [collection, each] of rows) {
    const copied = new Map(copy.before.map((object) => [object.uid + object.kind.replace(/.*:/, ""), object.row]));
    const kinds: Readonly<Record<string, string>> = { groups: "Group", roles: "Role", identities: "Identity", repos: "Repo" };
    for (const row of kinds[collection] === undefined ? [] : each)
      expect(copied.get((row["uid"] as string) + (kinds[collection] ?? ""))).toMatchObject(
        Object.fromEntries(
          Object.entries(row).filter(([name]) => !["claimMatch", "staticKeys", "awsIdentity", "kind", "status"].includes(name)),
        ),
      );
  }
  expect(copy.before.some(({ row }) => JSON.stringify(row).includes(hiddenPerson))).toBe(true);
  await copy.close();
  await serving.close();
});

test("a root group that is made in a copy gives its maker the role that the platform calls owner", async () => {
  const { serving, client, rows } = await platformOf(1);
  const standsInFor = { baseUrl: serving.origin, authUrl: serving.origin, audience: serving.origin };
  const copy = await copyOrganization({ client, standsInFor, organizations: [root] });
  const { body } = await exchangeAt(copy.origin, copy.token, { aud: serving.origin, identity: `${root}/reader` });
  const authorization = { authorization: `Bearer ${String(body["token"])}` };
  const made = await call("POST", `${copy.origin}/iam/v2/groups/`, { name: "new.example" }, authorization);
  expect(made.status).toBe(200);
  const owner = rows.get("roles")?.find(({ name }) => name === "owner")?.["uid"];
  expect(copy.now().filter(({ place }) => place === made.body["uid"])).toMatchObject([
    { kind: kindNames.roleBinding, value: { identityUid: `${root}/reader`, roleUid: owner } },
  ]);
  await copy.close();
  await serving.close();
});

test("a copy that hides people contains no login and no address of one", async () => {
  const { serving, client } = await platformOf(1);
  const standsInFor = { baseUrl: serving.origin, authUrl: serving.origin, audience: serving.origin };
  const copy = await copyOrganization({ client, standsInFor, organizations: [root], hidesPeople: true });
  expect(copy.inexact).toMatchObject([{ what: "logins and addresses of people" }]);
  const text = JSON.stringify(copy.before);
  expect(text).not.toMatch(/nina|new@/);
  expect(text).toContain("repo:acme/app");
  expect(text).toMatch(/hidden-[0-9a-f]{32}/);
  const plain = await copyOrganization({ client, standsInFor, organizations: [root] });
  expect(copy.before).toHaveLength(plain.before.length);
  await plain.close();
  await copy.close();
  await serving.close();
});

test("rows of a copy show unknown names of enums, and times with all digits", async () => {
  const { serving } = await platformOf(1);
  const shown = JSON.stringify([...shownRows(serving.services)]);
  for (const name of ["ORG_KIND_FUTURE", "SERVICE_PRINCIPAL_FUTURE", "CAP_NEXT_YEAR", "CATALOG_TIER_FUTURE", ".123456Z"])
    expect(shown).toContain(name);
  await serving.close();
});
