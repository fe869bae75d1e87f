import { readFileSync } from "node:fs";
import path from "node:path";
import { dynamicProvider } from "../../../provider/host/dynamic";
import { Plugin } from "../../../provider/host/plugin/plugin";
import { typeToken } from "../../../provider/host/plugin/resources";
import { unknownValue } from "../../../provider/schema/inputs";
import type { Kind } from "../../../provider/schema/kind";
import { enumNamesIn } from "../../../provider/resources/checking/enum-names";
import { update } from "../../../provider/resources/object/update";
import { clientOf } from "../../support/native-host";
import { declare, expectFailure, identity, identityProvider, repo, ResourceFixture, role } from "../../support/resource-fixture";

const fixture = ResourceFixture.forFile();

const parentUid = "0123456789abcdef0123456789abcdef01234567";
const oidc = { issuer: "https://login.example", clientId: "platform", pkceEnabled: true };
const defaultRole = "89abcdef0123456789abcdef0123456789abcdef";

/** Every input that is an enum: the schema of its values in the contract, inputs with a name in it, and a known name. */
const inputs: [what: string, kind: Kind, schema: string, declared: (name: string) => object, known: string][] = [
  ["a capability", role, "capabilities.Capability", (name) => ({ capabilities: ["CAP_TAG_LIST", name] }), "CAP_REPO_LIST"],
  ["a service", identity, "iam.ServicePrincipal", (name) => ({ servicePrincipal: name }), "SERVICE_PRINCIPAL_INGESTER"],
  ["a catalog tier", repo, "registry.CatalogTier", (name) => ({ catalogTier: name }), "CATALOG_TIER_BASE"],
  [
    "a correlation rule",
    identityProvider,
    "iam.IdentityProvider.OIDC.CorrelationRule",
    (name) => ({ defaultRole, oidc: { ...oidc, correlationRule: name } }),
    "CORRELATION_RULE_OID_EQUALS_EXTERNAL_ID",
  ],
];

interface Contract {
  components: { schemas: Record<string, { enum: string[] }> };
}
const contract = JSON.parse(readFileSync(path.join(__dirname, "../../../emulator/contract/api.json"), "utf8")) as Contract;

/** Checks `news` through the dynamic provider host or the plugin. */
async function checked(door: string, kind: Kind, news: object, olds: object = {}) {
  const { run, told: said } = fixture.told();
  const [given, known] = [news, olds].map((values) => ({ parentUid, name: "it", ...values }));
  const state = Object.keys(olds).length === 0 ? {} : known;
  const { failures } =
    door === "plugin"
      ? await clientOf(new Plugin([], () => run)).check(typeToken(kind), "it", given ?? {}, state)
      : await dynamicProvider(kind, () => run).check(state ?? {}, given ?? {});
  return { failures, said };
}

describe.each(["dynamic provider host", "plugin"])("through the %s", (door) => {
  test.each(inputs)(
    "%s that this package does not know passes the check with a warning",
    async (_what, kind, _schema, declared, known) => {
      const { failures, said } = await checked(door, kind, declared(`${known}S`));
      expect(failures).toEqual([]);
      expect(said).toEqual([expect.stringContaining(`does not know "${known}S" (did you mean "${known}"?) in `)]);
    },
  );
});

describe.each(["dynamic provider host", "plugin"])("through the %s", (door) => {
  describe.each(inputs)("%s", (_what, kind, _schema, declared, known) => {
    const bare = known.split("_").slice(2).join("_");
    test.each(["EMAIL", bare, known.toLowerCase(), ` ${known}`, "7"])(
      "%p, which no such name can be, is rejected",
      async (name) => {
        const { failures, said } = await checked(door, kind, declared(name));
        expect([failures.length, JSON.stringify(failures)]).toEqual([1, expect.stringContaining(" must be ")]);
        expect(said).toEqual([]);
        expect(await fixture.platform.requests()).toEqual([]);
      },
    );

    test("any that the state has passes", async () => {
      expect(await checked(door, kind, declared("7"), declared("7"))).toEqual({ failures: [], said: [] });
    });
  });
});

test("a list may name what the state has in any order", async () => {
  const [news, olds] = [{ capabilities: ["CAP_REPO_LIST", "7"] }, { capabilities: ["7", "CAP_REPO_LIST"] }];
  expect(await checked("host", role, news, olds)).toEqual({ failures: [], said: [] });
});

test("what a preview does not know yet is left out of the warning", async () => {
  const declared = { parentUid: unknownValue, capabilities: ["CAP_REPO_LITS"] };
  expect((await checked("host", role, declared)).said).toEqual([expect.stringContaining('warning: role "it": this version')]);
});

test.each(inputs)(
  "nothing is said about %s that is known, or that the state has",
  async (_what, kind, _schema, declared, known) => {
    const newer = declared(`${known}_2`);
    for (const said of [checked("host", kind, declared(known)), checked("host", kind, newer, newer)])
      expect(await said).toEqual({ failures: [], said: [] });
  },
);

test.each(inputs)("the names that are known of %s are those of the contract", (_what, kind, schema, declared, known) => {
  const named = contract.components.schemas[schema]?.enum.filter((name) => !/^UNKNOWN$|_UNSPECIFIED$/.test(name));
  const found = enumNamesIn(kind.fields, { ...declared(known) }).find(({ name }) => name === known);
  expect([...(found?.known ?? [])].sort()).toEqual(named?.sort());
});

test("a role without any known capability fails with the names that were probably meant", async () => {
  const declared = { parentUid: await fixture.parent(), name: "puller", capabilities: ["CAP_REPO_LITS", "CAP_TAGS_LIST"] };
  await expectFailure(
    declare(role, declared, fixture.run()),
    "INVALID_ARGUMENT",
    '"CAP_REPO_LITS" (did you mean "CAP_REPO_LIST"?)',
    '"CAP_TAGS_LIST" (did you mean "CAP_TAG_LIST"?)',
  );
});

test("an update that leaves a role without any known capability fails with the names that were probably meant", async () => {
  const declared = { parentUid: await fixture.parent(), name: "puller", capabilities: ["CAP_REPO_LIST"] };
  const { id, outs } = await declare(role, declared, fixture.run());
  await expectFailure(
    update({ kind: role, uid: id, olds: outs, news: { ...declared, capabilities: ["CAP_REPO_LITS"] } }, fixture.run()),
    "INVALID_ARGUMENT",
    '"CAP_REPO_LITS" (did you mean "CAP_REPO_LIST"?)',
  );
});

test("a single name that the platform drops is named, with the one that was probably meant", async () => {
  const declared = { ...(await fixture.inputs(repo, await fixture.place(repo))), catalogTier: "CATALOG_TIER_BASES" };
  await expectFailure(
    declare(repo, declared, fixture.run()),
    "WRONG_OBJECT",
    'The platform dropped "CATALOG_TIER_BASES" (did you mean "CATALOG_TIER_BASE"?)',
  );
});
