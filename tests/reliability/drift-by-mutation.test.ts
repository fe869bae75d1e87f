import fc from "fast-check";
import type { Inputs, Kind } from "../../provider/kinds/kind";
import { kinds } from "../../provider/kinds/kinds";
import { casesOf } from "../support/tier";
import { digestOf } from "../support/resource-fixture";
import { TestPlatform } from "../support/test-platform";
import { Project } from "../engine/project";
import { succeed } from "../engine/succeed";
import { organization } from "../engine/programs";
import { EngineSimulator, type KindName, startHost } from "../support/engine-simulator";
import { filledFields, filledValues, mutations, writableFields } from "./fields";
import { writeFigures } from "./figures";

jest.setTimeout(3_600_000);

const seed = 20_261_121;
const numRuns = casesOf(1, 100);
const cleanRefreshes = casesOf(5, 100);

const claimMatch = { issuer: "https://issuer.example", subject: "repo:acme/shop" };
const capabilities = ["CAP_REPO_LIST", "CAP_TAG_LIST"];
const oidc = { issuer: "https://login.example", clientId: "platform", clientSecret: "the-client-secret" };
const every = Object.entries(kinds) as unknown as [KindName, Kind][];
const table = (fieldsOf: (kind: Kind) => string[]) =>
  every.flatMap(([name, kind]) => fieldsOf(kind).map((field): [KindName, string, Kind] => [name, field, kind]));
const figures = { changesFoundAndRepaired: 0, filledFieldsChanged: 0, cleanRefreshes: 0, cleanRefreshesOfTheRealEngine: 0 };

let platform: TestPlatform;
let engine: EngineSimulator;
let program: Parameters<EngineSimulator["up"]>[0];

/** Objects of each kind besides those that are changed: enough that reads are shared through Lists, or none. */
const modes: [string, number][] = [
  ["read individually", 0],
  ["read through Lists", 5],
];

/** The sets of a repo. @param bundle a bundle of the platform */
function sets(bundle: string): Inputs {
  return { bundles: [bundle], aliases: [`alias:${bundle}`], activeTags: [`tag-${bundle}`] };
}

/** What `program` declares `others` times beside the objects that are changed, and before them. */
function crowd(others: number, roleUid: string): typeof program {
  return Array.from({ length: others }, (_, number) => number).flatMap((number): typeof program => [
    {
      name: `group ${number}`,
      kind: "group",
      dependsOn: [],
      inputs: () => ({ parentUid: platform.root, name: `group ${number}` }),
    },
    {
      name: `identity ${number}`,
      kind: "identity",
      dependsOn: [],
      inputs: () => ({
        parentUid: platform.root,
        name: `identity ${number}`,
        claimMatch: { ...claimMatch, subject: `${number}` },
      }),
    },
    {
      name: `binding ${number}`,
      kind: "roleBinding",
      dependsOn: [`identity ${number}`],
      inputs: (uidOf) => ({ parentUid: platform.root, identityUid: uidOf(`identity ${number}`), roleUid }),
    },
    {
      name: `role ${number}`,
      kind: "role",
      dependsOn: [],
      inputs: () => ({ parentUid: platform.root, name: `role ${number}`, capabilities }),
    },
    {
      name: `provider ${number}`,
      kind: "identityProvider",
      dependsOn: [],
      inputs: () => ({ parentUid: platform.root, name: `provider ${number}`, defaultRole: roleUid, oidc }),
    },
    {
      name: `mapping ${number}`,
      kind: "externalGroupRoleMapping",
      dependsOn: [`provider ${number}`],
      inputs: (uidOf) => ({
        identityProviderUid: uidOf(`provider ${number}`),
        externalGroupId: "people",
        roleUid,
        scope: platform.root,
      }),
    },
    {
      name: `association ${number}`,
      kind: "accountAssociation",
      dependsOn: [`group ${number}`],
      inputs: (uidOf) => ({ parentUid: uidOf(`group ${number}`), name: `association ${number}` }),
    },
    {
      name: `repo ${number}`,
      kind: "repo",
      dependsOn: [],
      inputs: () => ({ parentUid: platform.root, name: `repo ${number}`, ...sets("ai"), deletionPolicy: "delete" }),
    },
    {
      name: `tag ${number}`,
      kind: "tag",
      dependsOn: [`repo ${number}`],
      inputs: (uidOf) => ({
        repoUid: uidOf(`repo ${number}`),
        name: "latest",
        digest: digestOf("a"),
        bundles: ["ai"],
        deletionPolicy: "delete",
      }),
    },
    {
      name: `invite ${number}`,
      kind: "groupInvite",
      dependsOn: [],
      inputs: () => ({ parentUid: platform.root, roleUid, ttl: "86400s" }),
    },
    {
      name: `subscription ${number}`,
      kind: "subscription",
      dependsOn: [],
      inputs: () => ({ parentUid: platform.root, sink: `https://events.example/${number}` }),
    },
  ]);
}

async function bringUp(others: number): Promise<void> {
  platform = await TestPlatform.start();
  engine = new EngineSimulator(() =>
    startHost({
      "platform:baseUrl": platform.baseUrl,
      "platform:identity": platform.identity,
      "platform:oidcTokenFile": platform.oidcTokenFile,
    }),
  );
  const viewer = await platform.role("viewer");
  const group = (name: string, parent?: string) => ({
    name,
    kind: "group" as const,
    dependsOn: parent === undefined ? [] : [parent],
    inputs: (uidOf: (name: string) => string): Inputs => ({
      parentUid: parent === undefined ? platform.root : uidOf(parent),
      name,
      description: "as declared",
    }),
  });
  program = crowd(others, viewer);
  await engine.up(program);
  program = [
    ...program,
    group("place"),
    group("group", "place"),
    {
      name: "identity",
      kind: "identity",
      dependsOn: ["place"],
      inputs: (uidOf) => ({
        parentUid: uidOf("place"),
        name: "identity",
        description: "as declared",
        company: "as declared",
        claimMatch,
      }),
    },
    {
      name: "roleBinding",
      kind: "roleBinding",
      dependsOn: ["group", "identity"],
      inputs: (uidOf) => ({ parentUid: uidOf("group"), identityUid: uidOf("identity"), roleUid: viewer }),
    },
    {
      name: "role",
      kind: "role",
      dependsOn: ["place"],
      inputs: (uidOf) => ({ parentUid: uidOf("place"), name: "role", description: "as declared", capabilities }),
    },
    {
      name: "identityProvider",
      kind: "identityProvider",
      dependsOn: ["place"],
      inputs: (uidOf) => ({
        parentUid: uidOf("place"),
        name: "provider",
        description: "as declared",
        defaultRole: viewer,
        oidc: { ...oidc, groupsClaim: "groups", additionalScopes: ["groups"] },
      }),
    },
    {
      name: "externalGroupRoleMapping",
      kind: "externalGroupRoleMapping",
      dependsOn: ["identityProvider"],
      inputs: (uidOf) => ({
        identityProviderUid: uidOf("identityProvider"),
        externalGroupId: "people",
        roleUid: viewer,
        scope: platform.root,
      }),
    },
    {
      name: "agent",
      kind: "identity",
      dependsOn: ["place"],
      inputs: (uidOf) => ({ parentUid: uidOf("place"), name: "agent", servicePrincipal: "SERVICE_PRINCIPAL_INGESTER" }),
    },
    {
      name: "accountAssociation",
      kind: "accountAssociation",
      dependsOn: ["place", "agent"],
      inputs: (uidOf) => ({
        parentUid: uidOf("place"),
        name: "accountAssociation",
        description: "as declared",
        amazon: { account: "123456789012" },
        google: { projectId: "acme", projectNumber: "1" },
        azure: { tenantId: "tenant", clientIds: { agent: "client" } },
        chainguard: { serviceBindings: { ingester: uidOf("agent") } },
        github: { appInstallations: { "1": { installations: [{ installationId: "2" }] } } },
      }),
    },
    {
      name: "source",
      kind: "repo",
      dependsOn: ["place"],
      inputs: (uidOf) => ({ parentUid: uidOf("place"), name: "source", ...sets("fips") }),
    },
    {
      name: "repo",
      kind: "repo",
      dependsOn: ["place"],
      inputs: (uidOf) => ({
        parentUid: uidOf("place"),
        name: "repo",
        description: "as declared",
        catalogTier: "CATALOG_TIER_APPLICATION",
        ...sets("base"),
        customOverlay: { environment: { A: "b" }, annotations: { team: "shop" }, contents: { packages: ["curl"] } },
        deletionPolicy: "delete",
      }),
    },
    {
      name: "mirror",
      kind: "repo",
      dependsOn: ["place", "source"],
      inputs: (uidOf) => ({
        parentUid: uidOf("place"),
        name: "mirror",
        sync_config: {
          source: uidOf("source"),
          google: "gcr.example/acme",
          amazon: "ecr.example/acme",
          azure: "acr.example/acme",
        },
      }),
    },
    {
      name: "tag",
      kind: "tag",
      dependsOn: ["source"],
      inputs: (uidOf) => ({
        repoUid: uidOf("source"),
        name: "stable",
        digest: digestOf("a"),
        deprecated: true,
        bundles: ["base"],
        deletionPolicy: "delete",
      }),
    },
    {
      name: "groupInvite",
      kind: "groupInvite",
      dependsOn: ["group"],
      inputs: (uidOf) => ({
        parentUid: uidOf("group"),
        roleUid: viewer,
        ttl: "86400s",
        email: "zoe@people.example",
        singleUse: true,
      }),
    },
    {
      name: "subscription",
      kind: "subscription",
      dependsOn: ["group"],
      inputs: (uidOf) => ({ parentUid: uidOf("group"), sink: "https://events.example/group" }),
    },
  ];
  await engine.up(program);
}

afterAll(() => writeFigures("drift-by-mutation", { seed, ...figures }));

/** The resource that is changed: that with the name of its kind; of repos, which take other fields from their source, a synchronised one. */
function changedBy(kind: KindName, field: string): string {
  return field.startsWith("sync_config") ? "mirror" : kind;
}

function uidOf(name: string): string {
  return engine.state.find((entry) => entry.name === name)?.id ?? "";
}

/** The object of a resource, without times that move on their own. */
async function objectOf({ collection }: Kind, name: string) {
  const objects = await platform.objects(collection.segment);
  const object = objects.find(({ uid }) => uid === uidOf(name));
  if (object === undefined) throw new Error(`there is no ${name}`);
  // Every update moves the one, and every synchronisation the other.
  const { updateTime: _, ...rest } = object;
  const { expirationTime: __, ...sync } = (rest["sync_config"] ?? {}) as Record<string, unknown>;
  return rest["sync_config"] ? { ...rest, sync_config: sync } : rest;
}

describe.each(modes)("objects that are %s", (_mode, others) => {
  beforeAll(() => bringUp(others));
  afterAll(() => platform.close());

  test("are read as this mode says", async () => {
    await platform.clearRequests();
    await engine.refresh();
    const lists = (await platform.requests()).filter(({ path }) => path.endsWith("s") && /^\/(iam|registry|events)\//.test(path));
    const listed = every.filter(([, { calls }]) => calls.list !== "unreliable");
    expect(lists).toHaveLength(others === 0 ? 0 : listed.length);
  });

  test.each(table(writableFields))(
    "%s: another %s on the platform is found and wholly repaired",
    async (kindName, field, kind) => {
      const name = changedBy(kindName, field);
      const before = await objectOf(kind, name);
      const inputs = engine.state.find((entry) => entry.name === name)?.inputs ?? {};
      await fc.assert(
        fc.asyncProperty(await mutations(kind, field, platform, inputs[field.split(".", 1).join()]), async (patch) => {
          await platform.change(kind.collection.segment, uidOf(name), patch);
          expect(await engine.up(program, { refresh: true })).toEqual([`refresh ${name}`, `update ${name}`]);
          expect(await objectOf(kind, name)).toEqual(before);
          figures.changesFoundAndRepaired += 1;
        }),
        { seed, numRuns },
      );
    },
  );

  test.each([
    ...table(filledFields),
    ...every.map(([name, kind]): [KindName, string, Kind] => [name, "a field of tomorrow", kind]),
  ])("%s: what the platform fills into %s is no drift", async (name, field, kind) => {
    const values = field === "a field of tomorrow" ? fc.jsonValue() : filledValues(kind, field);
    await fc.assert(
      fc.asyncProperty(values, async (value) => {
        await platform.fault({ method: "GET", path: `/${uidOf(name)}$` }, { rewrite: { [field]: value } }, { times: 0 });
        expect(await engine.refresh()).toEqual([]);
        expect(await engine.up(program)).toEqual([]);
        await platform.clearFaults();
        figures.filledFieldsChanged += 1;
      }),
      { seed, numRuns },
    );
  });

  test(`${cleanRefreshes} refreshes in a row of an unchanged organisation report nothing`, async () => {
    const before = engine.state.map(({ inputs }) => inputs);
    for (let refreshes = 0; refreshes < cleanRefreshes; refreshes++) {
      await platform.change("identities", uidOf("identity"), { lastSeenTime: new Date(1.8e12 + refreshes * 1e6).toISOString() });
      await platform.settings({ omitDefaults: refreshes % 2 === 0 });
      expect(await engine.refresh()).toEqual([]);
      figures.cleanRefreshes += 1;
    }
    expect(engine.state.map(({ inputs }) => inputs)).toEqual(before);
  });
});

test("three refreshes in a row by the real engine report nothing", async () => {
  platform = await TestPlatform.start();
  const project = await Project.create(organization(), platform.environment);
  try {
    await succeed(project.up());
    for (let refreshes = 0; refreshes < 3; refreshes++) {
      await platform.settings({ omitDefaults: refreshes % 2 === 0 });
      expect(await succeed(project.drift())).toMatchObject({ steps: [] });
      figures.cleanRefreshesOfTheRealEngine += 1;
    }
  } finally {
    await project.remove();
    await platform.close();
  }
});
