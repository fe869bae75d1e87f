import fc from "fast-check";
import type { Inputs, Kind } from "../../provider/schema/kind";
import { kinds } from "../../provider/kinds/kinds";
import { casesOf, longTest } from "../support/tier";
import { digestOf, validInputs } from "../support/kind-inputs";
import { TestPlatform } from "../support/test-platform";
import { Project } from "../engine/project";
import { succeed } from "../engine/succeed";
import { organization } from "../engine/programs";
import { type Declaration, EngineSimulator, settingsOf, startHost } from "../support/engine-simulator";
import { filledFields, filledValues, mutations, writableFields } from "./fields";
import { writeFigures } from "./figures";

jest.setTimeout(3_600_000);

const seed = 20_261_121;
const numRuns = casesOf(1, 10);
const cleanRefreshes = casesOf(5, 100);

const clientSecret = "the-client-secret";
type KindName = keyof typeof kinds;
type UidOf = (name: string) => string;
const every = Object.entries(kinds) as unknown as [KindName, Kind][];
const figures = { changesFoundAndRepaired: 0, filledFieldsChanged: 0, cleanRefreshes: 0, cleanRefreshesOfTheRealEngine: 0 };

let platform: TestPlatform;
let engine: EngineSimulator;
let program: Declaration[];
let viewer: string;

/** Objects of each kind besides those that are changed: enough that reads are shared through Lists, or none. */
const modes: [string, number][] = [
  ["read individually", 0],
  ["read through Lists", 5],
];

/** Fields of different kinds that are changed at once: the first of each kind, then the second of each. */
function rounds(fieldsOf: (kind: Kind) => string[]): [string, [KindName, string][]][] {
  const fields = every.map(([name, kind]) => [name, fieldsOf(kind)] as const);
  const count = Math.max(...fields.map(([, names]) => names.length));
  return Array.from({ length: count }, (_, at) => {
    const round = fields.flatMap(([kind, names]): [KindName, string][] => names.slice(at, at + 1).map((name) => [kind, name]));
    return [round.map((each) => each.join(".")).join(", "), round];
  });
}

/** A resource with valid inputs, in another one or in the organisation. @param more inputs besides those of all tests */
function declare(kind: KindName, name: string, place?: string, more: (uidOf: UidOf) => Inputs = () => ({})): Declaration {
  const others = new Set<string>(place === undefined ? [] : [place]);
  const collect = (other: string) => {
    others.add(other);
    return other;
  };
  const inputs = (uidOf: UidOf) => {
    const parentUid = place === undefined ? platform.root : uidOf(place);
    const all = { parentUid, name, organization: platform.root, roleUid: viewer, clientSecret };
    return { ...validInputs(kinds[kind], all), ...more(uidOf) };
  };
  inputs(collect);
  return { name, kind, dependsOn: [...others], inputs };
}

/** The sets of a repo. @param bundle a bundle of the platform */
const sets = (bundle: string) => ({ bundles: [bundle], aliases: [`alias:${bundle}`], activeTags: [`tag-${bundle}`] });

/** An object of every kind, beside the objects that are changed, and before them. */
function neighbours(at: number): Declaration[] {
  return [
    declare("group", `group ${at}`),
    declare("identity", `identity ${at}`),
    declare("roleBinding", `binding ${at}`, undefined, (uidOf) => ({ identityUid: uidOf(`identity ${at}`) })),
    declare("role", `role ${at}`),
    declare("identityProvider", `provider ${at}`),
    declare("externalGroupRoleMapping", `mapping ${at}`, `provider ${at}`),
    declare("accountAssociation", `association ${at}`, `group ${at}`),
    declare("repo", `repo ${at}`, undefined, () => sets("ai")),
    declare("tag", `tag-${at}`, `repo ${at}`, () => ({ bundles: ["ai"] })),
    declare("groupInvite", `invite ${at}`),
    declare("subscription", `${at}`),
  ];
}

/** One object of every kind with a value in every field, under the name of its kind, and what it needs. */
function changedObjects(): Declaration[] {
  return [
    declare("group", "place"),
    declare("group", "group", "place"),
    declare("identity", "identity", "place", () => ({ company: "as declared" })),
    declare("roleBinding", "roleBinding", "group", (uidOf) => ({ identityUid: uidOf("identity") })),
    declare("role", "role", "place"),
    declare("identityProvider", "identityProvider", "place", () => ({
      name: "provider",
      oidc: {
        issuer: "https://login.example",
        clientId: "platform",
        clientSecret,
        groupsClaim: "groups",
        additionalScopes: ["groups"],
      },
    })),
    declare("externalGroupRoleMapping", "externalGroupRoleMapping", "identityProvider"),
    declare("identity", "agent", "place", () => ({ claimMatch: undefined, servicePrincipal: "SERVICE_PRINCIPAL_INGESTER" })),
    declare("accountAssociation", "accountAssociation", "place", (uidOf) => ({
      google: { projectId: "acme", projectNumber: "1" },
      azure: { tenantId: "tenant", clientIds: { agent: "client" } },
      chainguard: { serviceBindings: { ingester: uidOf("agent") } },
      github: { appInstallations: { "1": { installations: [{ installationId: "2" }] } } },
    })),
    // Its mirror shows the same objects.
    declare("repo", "source", "place", () => ({ ...sets("fips"), description: undefined })),
    declare("repo", "repo", "place", () => ({
      catalogTier: "CATALOG_TIER_APPLICATION",
      ...sets("base"),
      customOverlay: { environment: { A: "b" }, annotations: { team: "shop" }, contents: { packages: ["curl"] } },
    })),
    declare("repo", "mirror", "place", (uidOf) => ({
      description: undefined,
      aliases: undefined,
      sync_config: {
        source: uidOf("source"),
        google: "gcr.example/acme",
        amazon: "ecr.example/acme",
        azure: "acr.example/acme",
      },
    })),
    declare("tag", "tag", "source", () => ({ digest: digestOf("a"), deprecated: true, bundles: ["base"] })),
    declare("groupInvite", "groupInvite", "group", () => ({ email: "zoe@people.example", singleUse: true })),
    declare("subscription", "subscription", "group"),
  ];
}

async function bringUp(others: number): Promise<void> {
  platform = await TestPlatform.start();
  viewer = await platform.role("viewer");
  engine = new EngineSimulator(() => startHost(settingsOf(platform)));
  program = Array.from({ length: others }, (_, at) => neighbours(at)).flat();
  await engine.up(program);
  program = [...program, ...changedObjects()];
  await engine.up(program);
}

afterAll(() => writeFigures("drift-by-mutation", { seed, ...figures }));

/** The resource that is changed: of repos, which take other fields from their source, a synchronised one. */
const changedBy = (kind: KindName, field: string) => (field.startsWith("sync_config") ? "mirror" : kind);

const uidOf = (name: string) => engine.state.find((entry) => entry.name === name)?.id ?? "";

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

const patches = (kind: KindName, field: string) => {
  const inputs = engine.state.find((entry) => entry.name === changedBy(kind, field))?.inputs ?? {};
  return mutations(kinds[kind], field, platform, inputs[field.split(".", 1).join()]);
};

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

  test.each(rounds(writableFields))("another %s on the platform is found and wholly repaired", async (_what, round) => {
    const names = round.map(([kind, field]) => changedBy(kind, field));
    const objects = () => Promise.all(round.map(([kind], at) => objectOf(kinds[kind], names[at] ?? "")));
    const before = await objects();
    const changes = await Promise.all(round.map(([kind, field]) => patches(kind, field)));
    await fc.assert(
      fc.asyncProperty(fc.tuple(...changes), async (changed) => {
        for (const [at, patch] of changed.entries())
          await platform.change(kinds[round[at]?.[0] ?? "group"].collection.segment, uidOf(names[at] ?? ""), patch);
        const steps = await engine.up(program, { refresh: true });
        expect(steps.toSorted()).toEqual(names.flatMap((name) => [`refresh ${name}`, `update ${name}`]).sort());
        expect(await objects()).toEqual(before);
        figures.changesFoundAndRepaired += round.length;
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

describe("what the platform fills in", () => {
  beforeAll(() => bringUp(0));
  afterAll(() => platform.close());

  const tomorrow = "a field of tomorrow";
  test.each(rounds((kind) => [...filledFields(kind), tomorrow]))("is no drift: %s", async (_what, round) => {
    const values = round.map(([kind, field]) => (field === tomorrow ? fc.jsonValue() : filledValues(kinds[kind], field)));
    await fc.assert(
      fc.asyncProperty(fc.tuple(...values), async (filled) => {
        for (const [at, [kind, field]] of round.entries())
          await platform.fault({ method: "GET", path: `/${uidOf(kind)}$` }, { rewrite: { [field]: filled[at] } }, { times: 0 });
        expect(await engine.refresh()).toEqual([]);
        expect(await engine.up(program)).toEqual([]);
        await platform.clearFaults();
        figures.filledFieldsChanged += round.length;
      }),
      { seed, numRuns },
    );
  });
});

longTest("three refreshes in a row by the real engine report nothing", async () => {
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
