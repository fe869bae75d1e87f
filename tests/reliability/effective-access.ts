import type { AccessChange } from "../../access/compare";
import { severities, type Severity } from "../../access/severity";
import type { TestPlatform, WireObject } from "../support/test-platform";
import { subjects } from "./review/logins";

/** Something that a person may do in a group. Groups of the program are called by their logical names. */
export interface Ability {
  readonly person: string;
  readonly capability: string;
  readonly group: string;
}

/** Who may do what where. */
export interface Abilities {
  readonly all: ReadonlyMap<string, Ability>;
  /** Uids of groups by their names in {@link Ability}. */
  readonly groups: ReadonlyMap<string, string>;
  /** Who can log in as an identity, by its uid. */
  readonly people: ReadonlyMap<string, readonly string[]>;
}

/** All objects of a platform that have to do with access, by collection. */
export type Rows = Readonly<Record<(typeof collections)[number], readonly WireObject[]>>;

const collections = [
  "groups",
  "identities",
  "roles",
  "roleBindings",
  "identityProviders",
  "externalGroupRoleMappings",
  "groupInvites",
  "accountAssociations",
] as const;

/** Reads what the platform holds. */
export async function rowsOf(platform: TestPlatform): Promise<Rows> {
  const rows = collections.map(async (collection) => [collection, await platform.objects(collection)] as const);
  return Object.fromEntries(await Promise.all(rows)) as Record<keyof Rows, WireObject[]>;
}

/**
 * Who may do what by the objects in a group, by nothing but the rows of the platform and the rule that a role holds in its group and
 * below.
 *
 * @param root uid of the group, directly in the organisation
 * @param labelOf what stands for a group on both sides
 */
export function abilitiesIn(rows: Rows, root: string, labelOf: (uid: string) => string): Abilities {
  const groups = rows.groups.map(({ uid }) => uid).filter((uid) => uid === above(root) || isIn(root, uid));
  const people = new Map(rows.identities.map(({ uid, claimMatch }) => [uid, whoMeets(claimMatch)]));
  const capabilities = new Map(rows.roles.map((role) => [role.uid, role["capabilities"] as string[]]));
  const all = new Map<string, Ability>();
  for (const { persons, role, place } of waysIn(rows, root, people))
    for (const person of persons)
      for (const capability of role === account ? [account] : (capabilities.get(role) ?? []))
        for (const group of groups.filter((uid) => isIn(place, uid))) {
          const ability = { person, capability, group: labelOf(group) };
          all.set(keyOf(ability), ability);
        }
  return { all, groups: new Map(groups.map((uid) => [labelOf(uid), uid])), people };
}

/** The holder of the rights of an account with another service. */
const account = "account association";

interface Way {
  readonly persons: readonly string[];
  /** Its uid. */
  readonly role: string;
  /** Uid of the group in which it is given. */
  readonly place: string;
}

function waysIn(rows: Rows, root: string, people: Abilities["people"]): Way[] {
  const providers = new Map(rows.identityProviders.map((row) => [row.uid, row]));
  const issuerOf = (uid: string) => (providers.get(uid)?.["oidc"] as { issuer: string }).issuer;
  const ways = (collection: keyof Rows, wayOf: (row: WireObject) => Way) =>
    rows[collection].filter(({ uid }) => isIn(root, uid)).map(wayOf);
  return [
    ...ways("roleBindings", (row) => ({
      persons: people.get(uidIn(row, "identity")) ?? [],
      role: uidIn(row, "role"),
      place: above(row.uid),
    })),
    ...ways("identityProviders", (row) => ({
      persons: [newcomersOf(issuerOf(row.uid))],
      role: String(row["defaultRole"]),
      place: above(row.uid),
    })),
    ...ways("externalGroupRoleMappings", (row) => ({
      persons: [membersOf(row["externalGroupId"], issuerOf(above(row.uid)))],
      role: String(row["roleUid"]),
      place: String(row["scope"]),
    })),
    ...ways("groupInvites", (row) => ({
      persons: [typeof row["email"] === "string" && row["email"] !== "" ? row["email"] : anyInvited],
      role: uidIn(row, "role"),
      place: above(row.uid),
    })),
    ...ways("accountAssociations", (row) => ({
      persons: [`AWS account ${(row["amazon"] as { account: string }).account}`],
      role: account,
      place: row.uid,
    })),
  ];
}

/**
 * Abilities in `to` but not in `from`. In a group that only `to` has, an ability from the group around it
 * is nothing new.
 */
export function gained(from: Abilities, to: Abilities): Ability[] {
  const names = new Map([...to.groups].map(([name, uid]) => [uid, name]));
  const around = (group: string): string => {
    const uid = above(to.groups.get(group) ?? "");
    const name = names.get(uid) ?? "";
    return uid === "" || from.groups.has(name) ? name : around(name);
  };
  return [...to.all.values()].filter((ability) =>
    from.groups.has(ability.group)
      ? !from.all.has(keyOf(ability))
      : !to.all.has(keyOf({ ...ability, group: around(ability.group) })),
  );
}

/**
 * The `abilities` that no change reports, or only a change of too low a rank. Gains rank at least by their capability, losses
 * as `low`.
 *
 * @param people who can log in as identities that the changes do not describe
 * @param groupOf the name of a group, by its uid before or after, or by what stands for its uid in a review
 */
export function untold(
  abilities: readonly Ability[],
  changes: readonly AccessChange[],
  people: Abilities["people"],
  groupOf: (uid: string) => string,
): string[] {
  const told = changes.map(({ effect, severity, groups, role, capabilities = role.capabilities, ...change }) => ({
    isEnough: (capability: string) =>
      severities.indexOf(severity) <= severities.indexOf(effect === "gain" ? leastFor(capability) : "low"),
    persons: new Set(personsOf(change, people)),
    groups: new Set(groups.map(groupOf)),
    // A role that cannot be read may be any.
    allows: (capability: string) => role.uid === capability || capabilities?.includes(capability) !== false,
  }));
  const isTold = ({ person, capability, group }: Ability) =>
    told.some(
      ({ isEnough, persons, groups, allows }) =>
        persons.has(person) && groups.has(group) && allows(capability) && isEnough(capability),
    );
  return abilities.filter((ability) => !isTold(ability)).map(keyOf);
}

/** The least severity of a gain of the capability. */
function leastFor(capability: string): Severity {
  if (/_(LIST|GET|READ)$/.test(capability)) return "low";
  return capability.startsWith("CAP_IAM_") ? "high" : "medium";
}

function personsOf({ holder }: Pick<AccessChange, "holder">, people: Abilities["people"]): readonly string[] {
  const { issuer } = (holder.login?.["oidc"] ?? {}) as { issuer?: string };
  if (holder.account !== undefined) return [holder.account];
  if (holder.externalGroupId !== undefined) return [membersOf(holder.externalGroupId, issuer)];
  if (holder.identityProviderUid !== undefined) return [newcomersOf(issuer)];
  if (holder.uid === undefined) return [holder.email ?? anyInvited];
  return holder.login === undefined ? (people.get(holder.uid) ?? []) : whoMeets(holder.login["claimMatch"]);
}

const anyInvited = "whoever has a code";
const newcomersOf = (issuer: unknown) => `newcomers of ${String(issuer)}`;
const membersOf = (group: unknown, issuer: unknown) => `${String(group)} of ${String(issuer)}`;

/** The people with a token that the match accepts. */
export function whoMeets(match: unknown): string[] {
  const { subject, subjectPattern } = (match ?? {}) as { subject?: string; subjectPattern?: string };
  return subjects.filter((each) => (subjectPattern ? new RegExp(`^(?:${subjectPattern})$`).test(each) : each === subject));
}

function uidIn(row: WireObject, member: string): string {
  return (row[member] as { uid?: string } | undefined)?.uid ?? String(row[`${member}Uid`]);
}

function keyOf({ person, capability, group }: Ability): string {
  return [person, capability, group].join(" | ");
}

function isIn(place: string, uid: string): boolean {
  return uid === place || uid.startsWith(`${place}/`);
}

function above(uid: string): string {
  return uid.slice(0, Math.max(uid.lastIndexOf("/"), 0));
}
