import { z } from "zod";
import { builtInRoles } from "../../access/built-in-roles";
import type { Guarded } from "../../access/guarded";
import type { SnapshotRole, Unreadable } from "../../access/snapshot";
import { accessKinds, type PlatformInventory, readInventory } from "../../inventory/platform";
import { kindNames } from "../../inventory/kinds";
import { type InventoryObject, ObjectIndex } from "../../inventory/objects";
import { isExpiredInvite } from "../../inventory/platform-snapshot";
import { snapshotOf } from "../../inventory/snapshot-of";
import type { World } from "../../preview/apply";
import type { PreviewFile } from "../../preview/file";
import type { Caller } from "../../preview/rights";
import { type Planned, planOf } from "../../preview/plan";
import type { PlatformClient } from "../../provider/client/client";
import { causeOf, PlatformError, platformErrorAs } from "../../provider/client/errors";
import { organizationOf, parentOf } from "../../provider/client/uid";
import { entriesOf } from "../../provider/kinds/group-access";
import { connect, readBreakGlass, readConfiguration, settings } from "../../provider/credentials";
import { isBuiltIn, role } from "../../provider/kinds/role";
import { UsageError } from "../shell/exit-codes";
import { identityAt } from "../shell/lookup";
import type { Connection } from "../shell/settings";
import { stackConfiguration } from "../shell/stack";
import { heed, type Use, verdictOn } from "../shell/verdict";
import { deletesGroups, kindsInGroups } from "./blocked";
import { judgedIn } from "./judged";

/** Whether and where a review asks the platform. */
export interface KnownOptions {
  readonly stack?: string;
  readonly offline?: boolean;
  /** The identity to run `pulumi up`, as {@link identityAt} takes it. Default: the one of the configuration, or of these credentials. */
  readonly as?: string;
  /** The work of the review besides asking the platform. Default: it has run the program. */
  readonly use?: Exclude<Use, "read">;
}

/** The facts known besides a preview. */
export interface Known extends World {
  /** Parts of the platform that could not be read. */
  readonly unreadable: readonly Unreadable[];
  /** Parts of `unreadable` that may hide access, so a gate cannot pass. */
  readonly unseen: readonly Unreadable[];
  /** Identities that must not lose access unnoticed: the identities of the runs, and break-glass identities. */
  readonly guarded: Guarded;
  /** Address of the platform that was read; undefined if none was. */
  readonly address?: string;
  /** The identity whose rights are checked, and the source that names it; undefined if the platform was not asked. */
  readonly caller?: Caller & { readonly by: string };
}

/** Built-in roles. Their keys are no uids, because the published table has only names. */
const publishedRoles: ReadonlyMap<string, SnapshotRole> = new Map(
  [...builtInRoles].map(([name, capabilities]) => [`built-in role ${name}`, { name, capabilities }]),
);

/**
 * The facts known without asking the platform, which are the built-in roles by name.
 *
 * @param configured the stack's configuration, if there is a stack
 * @param unseen why the platform could not be asked; empty if the user did not want to
 * @throws PlatformError `CONFIGURATION` if the setting of break-glass identities is not a list
 */
export function knownOffline(configured?: Configured, unseen: readonly Unreadable[] = []): Known {
  const unread = { roles: publishedRoles, builtIns: builtInRoles, objects: [] };
  return { ...unread, isGone: () => false, unreadable: unseen, unseen, guarded: guardedBy(configured) };
}

/**
 * The objects that the platform shows, or only the published roles if the platform is not asked.
 *
 * @throws PlatformError `CONFIGURATION` if the settings of the stack must not be used
 */
export async function knownOf(file: PreviewFile, { offline, stack, as, use = "program" }: KnownOptions): Promise<Known> {
  const isAlone = offline === true || (stack === undefined && !process.env["PLATFORM_BASE_URL"]);
  if (isAlone && as !== undefined)
    throw new UsageError("--as needs the platform: set PLATFORM_BASE_URL or pass --stack, without --offline.");
  let configured: Configured;
  const unknown = (error: unknown): Known => {
    // Without the platform, the rights that --as asks for cannot be checked.
    if (as !== undefined) throw error;
    const next = "Correct that, or review the preview alone with --offline";
    const reason = `${causeOf(error).replace(/\.$/, "")}. ${next}`;
    return knownOffline(configured, [{ what: isAlone ? "the configuration" : "the platform", reason }]);
  };
  try {
    // The configuration is read offline too, because it marks break-glass identities.
    if (stack !== undefined) configured = await stackConfiguration(stack);
  } catch (error) {
    return unknown(error);
  }
  if (!isAlone) heed(verdictOn(configured, process.env, use));
  try {
    return isAlone ? knownOffline(configured) : await knownOnline(file, configured, { ...(as !== undefined && { as }) });
  } catch (error) {
    return unknown(error);
  }
}

/** The configuration of a stack, by full keys; undefined without a stack. */
type Configured = Readonly<Record<string, string | undefined>> | undefined;

/**
 * @param callers uids of the identity that the platform sees, and of the one to run the update. A review may run as another one, such as
 *   `platform:readOnlyIdentity`
 */
function guardedBy(configured: Configured, callers: readonly (string | undefined)[] = []): Guarded {
  const { key, environment } = settings.identity;
  const own = [...callers, configured?.[key], process.env[environment]].flatMap((each) => (each ? [each] : []));
  return { breakGlass: new Set(readBreakGlass(configured, process.env)), own: new Set(own) };
}

/**
 * The objects that the credentials of the environment see in the organisations of a preview, also those of other programs. `unreadable`
 * names the parts that cannot be read.
 *
 * @param options.as see {@link KnownOptions}
 * @param options.connected Default: a connection by the settings
 */
export async function knownOnline(
  file: PreviewFile,
  configured?: Configured,
  { as, connected = connectedBy(configured) }: Pick<KnownOptions, "as"> & { readonly connected?: Connection } = {},
): Promise<Known> {
  const { configuration, client } = connected;
  const { baseUrl: address } = configuration;
  // Names of another platform must not be looked up on this one.
  const resources = planOf(judgedIn(file, address).file.steps);
  const inPreview = rootsOf(resources);
  // A first preview may name every existing object by its path.
  const roots = inPreview.length > 0 ? inPreview : rootsIn([configuration.organization]);
  const [unseen, unreadable]: [Unreadable[], Unreadable[]] = [[], []];
  if (roots.length === 0 && resources.length > 0) unseen.push(noOrganization);
  const { deciding, below } = kindsFor(resources);
  const inventories = await inventoriesOf(roots, below, client, unseen);
  const [people, caller, named] = await Promise.all([
    peopleNamed(resources, client),
    // If the credentials are wrong, the other requests say why.
    client.caller().catch(() => undefined),
    rolesNamed(resources, client, unreadable),
  ]);
  const shown = inventories.flatMap((each) => [...each.objects.all, ...each.around.all]);
  const objects = shown.filter(({ kind }) => deciding.includes(kind));
  // The first of several built-in roles of one name is meant, so this platform's role comes before the published one.
  const others = [...snapshotOf(objects).roles, ...publishedRoles].filter(([uid]) => !named.has(uid));
  for (const { kind, what, reason } of inventories.flatMap((each) => each.unreadable)) {
    if (kind === undefined || accessKinds.includes(kind)) unseen.push({ what, reason });
    else if (deciding.includes(kind)) unreadable.push({ what, reason });
  }
  const runs = await whoRuns(as, connected, configured, caller?.uid);
  const current = objects.filter((object) => !isExpiredInvite(object, client.now()));
  const all = new ObjectIndex(shown);
  const shows = (kind: string, uid: string) => inventories.some((each) => each.shows(kind, uid));
  return {
    roles: new Map([...named, ...others]),
    builtIns: builtInRoles,
    objects: [...people, ...current],
    isGone: (kind, uid) => !all.has(kind, uid) && shows(kind, uid),
    unreadable: [...unseen, ...unreadable],
    unseen,
    guarded: guardedBy(configured, [caller?.uid, runs.uid]),
    address,
    caller: {
      ...runs,
      objects: shown,
      shows,
    },
  };
}

const noOrganization: Unreadable = {
  what: "the organisation",
  reason: "neither the preview nor PLATFORM_ORGANIZATION says which it is. Set it, or use --offline",
};

/** Published names of the kinds that decide a review, and of all kinds read below the roots. */
function kindsFor(resources: readonly Planned[]): Record<"deciding" | "below", readonly string[]> {
  // Read other objects in groups only if they may block the deletion of a group.
  const deciding = deletesGroups(resources) ? [...new Set([...accessKinds, ...kindsInGroups])] : accessKinds;
  // An object to create may exist already. Then the create adopts it, and sends no call for the platform to refuse.
  const made = kindsInGroups.filter((kind) => resources.some((each) => each.kind === kind && each.op === "create"));
  return { deciding, below: [...new Set([...deciding, ...made])] };
}

/** @param unseen gets the organisations that cannot be read */
async function inventoriesOf(
  roots: readonly string[],
  below: readonly string[],
  client: PlatformClient,
  unseen: Unreadable[],
): Promise<PlatformInventory[]> {
  const found = roots.map((root) =>
    readInventory(client, root, { below }).catch((error: unknown) => {
      unseen.push({ what: `the organisation ${root}`, reason: causeOf(error) });
      return [];
    }),
  );
  return (await Promise.all(found)).flat();
}

/**
 * The built-in roles, and the roles that the resources name by uid or path.
 *
 * @param unreadable gets the parts that cannot be read
 */
async function rolesNamed(resources: readonly Planned[], client: PlatformClient, unreadable: Unreadable[]) {
  const wanted = roleTexts(resources).filter((text) => text.includes("/") || uidForm.test(text));
  const [builtIn, byUid] = await Promise.all([
    client.list(role.collection, { inRoot: true }).catch(missed("built-in roles", unreadable)),
    wanted.length === 0
      ? []
      : client.list(role.collection, { uids: wanted }).catch(missed("the roles in the preview", unreadable)),
  ]);
  return new Map(
    [...builtIn, ...byUid].map(({ uid, name, capabilities }): [string, SnapshotRole] => [uid, { name, capabilities }]),
  );
}

/** The people whom changed resources name by issuer and subject. Lists show only people who already have a role. */
async function peopleNamed(resources: readonly Planned[], client: PlatformClient): Promise<InventoryObject[]> {
  const references = resources.flatMap(({ op, before, after }) =>
    op === "keep" ? [] : [before, after].map((state) => login.safeParse(state.inputs["identityRef"]).data ?? []).flat(),
  );
  const distinct = [...new Map(references.map((each) => [JSON.stringify(each), each])).values()];
  const found = distinct.map(async ({ issuer, subject }): Promise<InventoryObject[]> => {
    const uid = await client.lookUpIdentity(issuer, subject).catch(platformErrorAs(() => undefined));
    if (uid === undefined || parentOf(uid) !== undefined) return [];
    return [{ kind: kindNames.identity, uid, place: undefined, value: { claimMatch: { issuer, subject } } }];
  });
  return (await Promise.all(found)).flat();
}

const login = z.object({ issuer: z.string(), subject: z.string() });

function connectedBy(configured: Configured): Connection {
  const configuration = readConfiguration(configured, process.env);
  return { configuration, client: connect(configuration) };
}

/**
 * The identity to run `pulumi up`, and the source that names it. A read-only run logs in as another identity.
 *
 * @param own uid of the identity that the platform sees
 */
async function whoRuns(as: string | undefined, connected: Connection, configured: Configured, own: string | undefined) {
  if (as !== undefined) return { uid: await identityAt(connected, "--as", as), by: "--as" };
  const { key } = settings.identity;
  return connected.configuration.readOnly ? { uid: configured?.[key], by: key } : { uid: own, by: "these credentials" };
}

/** The roles that the inputs and outputs of a preview name: uids, and names. */
function roleTexts(resources: readonly Planned[]): string[] {
  const all = resources.flatMap(({ before, after }) =>
    [before, after].flatMap((state) => {
      const values = { ...state.inputs, ...state.outputs };
      const texts = ["roleUid", "roleName", "defaultRole", "defaultRoleName"].map((name) => values[name]);
      const access = [
        ...entriesOf(values["access"]).map(([role]) => role),
        ...entriesOf(values["roleUids"]).map(([, uid]) => uid),
      ];
      return [...texts, ...access].filter((text) => typeof text === "string");
    }),
  );
  return [...new Set(all)].filter((text) => text !== "");
}

/** Uids of the organisations that the resources are in, or will be. */
function rootsOf(resources: readonly Planned[]): string[] {
  const uids = resources.flatMap(({ kind, before, after }) => {
    // The uid of a built-in role has the form of an organisation's.
    const own = [before.id, after.id].filter((uid) => kind !== kindNames.role || !isBuiltIn(uid));
    return [...own, after.inputs["parentUid"]];
  });
  return rootsIn(uids);
}

function rootsIn(uids: readonly unknown[]): string[] {
  const roots = uids.flatMap((uid) => (typeof uid === "string" ? [organizationOf(uid)] : []));
  return [...new Set(roots)].filter((root) => uidForm.test(root));
}

/** The platform's form of the uid of a root group, or of a built-in role. */
const uidForm = /^[0-9a-f]{40}$/;

function missed(what: string, unreadable: Unreadable[]): (error: unknown) => [] {
  return (error) => {
    if (!(error instanceof PlatformError)) throw error;
    unreadable.push({ what, reason: causeOf(error) });
    return [];
  };
}
