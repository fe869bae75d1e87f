import { areInOneLine, isAtOrBelow, parentOf } from "../provider/client/uid";
import { describeLogin } from "../access/prose/describe-login";
import { personInWords } from "../access/prose/person";
import { isAnybody } from "../access/logins";
import type { Holder } from "../access/holders";
import { GroupTree } from "../access/group-tree";
import { ancestorsOf, pathOf } from "../access/places";
import { roleLabels } from "../access/role-labels";
import { severityOf } from "../access/severity";
import type { Snapshot } from "../access/snapshot";
import { accountRole, type GrantKind, levelOfRole, sourcesOf, type Source } from "../access/ways";
import { kindNames } from "../inventory/kinds";
import type { PlatformInventory } from "../inventory/platform";
import { platformSnapshot } from "../inventory/platform-snapshot";
import type { ReportData, ReportGrant, ReportHolder } from "./report-data";

/** The content of the page about an organisation, without drift. */
export function reportData(inventory: PlatformInventory, readAt: Date): ReportData {
  const { root, objects } = inventory;
  const snapshot = platformSnapshot(inventory, readAt.getTime());
  const sources = sourcesOf(snapshot, (uid) => uid).filter(({ place }) => areInOneLine(place, root));
  const groups = objects.of(kindNames.group).map(({ uid, value }) => {
    const { name, description } = value as { name: string; description?: string };
    return { uid, name, ...(description && { description }) };
  });
  const pathOfGroup = (group: string) => pathOf(group, (uid) => snapshot.groups.get(uid)?.name) ?? group;
  const roleLabel = roleLabels(snapshot);
  const holders = holdersIn(snapshot, root, sources, pathOfGroup);
  const bound = new Set(snapshot.bindings.map(({ identityUid }) => identityUid));
  return {
    title: pathOfGroup(root),
    root,
    readAt: readAt.toISOString(),
    groups,
    holders,
    identities: holders.filter(({ uid }) => snapshot.identities.has(uid) || bound.has(uid)).length,
    roles: {
      ...Object.fromEntries([...snapshot.roles].map(([uid, { name }]) => [uid, roleLabel(uid) ?? name])),
      ...(sources.some(({ roleUid }) => roleUid === accountRole) && { [accountRole]: accountRole }),
    },
    above: Object.fromEntries(ancestorsOf(root).map((uid) => [uid, pathOfGroup(uid)])),
    grants: grantsFrom(snapshot, sources),
    unreadable: snapshot.unreadable,
  };
}

/** The kind of a holder, by the source of its role. */
const holderKinds: Readonly<Record<GrantKind, string>> = {
  roleBinding: "identity",
  externalGroupRoleMapping: "external group",
  identityProvider: "identity provider",
  groupInvite: "invite",
  accountAssociation: "account",
};

/** Every holder of a role, and every other identity in the organisation. */
function holdersIn(
  snapshot: Snapshot,
  root: string,
  sources: readonly Source[],
  pathOfGroup: (uid: string) => string,
): ReportHolder[] {
  const inside = [...snapshot.identities].filter(([uid]) => isAtOrBelow(uid, root));
  const all = new Map(
    inside.map(([uid, { name, login }]): [string, ReportHolder] => [
      uid,
      { uid, kind: holderKinds.roleBinding, name, login: loginInWords(login) },
    ]),
  );
  for (const source of sources) {
    const uid = holderUid(source);
    if (all.has(uid)) continue;
    const { holder, through } = source;
    all.set(uid, { uid, kind: holderKinds[through.kind], name: nameOf(source, pathOfGroup), login: loginInWords(holder.login) });
  }
  return [...all.values()];
}

function grantsFrom(snapshot: Snapshot, sources: readonly Source[]): ReportGrant[] {
  const tree = new GroupTree(snapshot);
  return sources.map((source) => {
    const { place, roleUid, through, holder } = source;
    const weight = {
      effect: "gain",
      level: levelOfRole(roleUid, snapshot.roles.get(roleUid)?.capabilities),
      isRoot: !place.includes("/"),
      reach: tree.within(place).length - 1,
      isAnybody: isAnybody(holder.login),
      isUnknown: isLoginHidden(source),
    } as const;
    return { uid: through.uid, place, holder: holderUid(source), role: roleUid, severity: severityOf(weight) };
  });
}

/** The key of a holder, which is the uid for an identity, the address for an invited person, and the description for anybody else. */
function holderUid({ holder, who, through }: Source): string {
  if (holder.email !== undefined) return `invited ${holder.email}`;
  return through.kind === "roleBinding" && holder.uid !== undefined ? holder.uid : who;
}

/**
 * True for an identity that may let in anybody, because nothing shows how it logs in. A person, who belongs to no group, is a single
 * person.
 */
function isLoginHidden({ holder, through, loginUid = "" }: Source): boolean {
  return through.kind === "roleBinding" && holder.login === undefined && parentOf(loginUid) !== undefined;
}

function nameOf(source: Source, pathOfGroup: (uid: string) => string): string {
  const { holder, through, place } = source;
  const { path, externalGroupId, email, account } = holder;
  if (externalGroupId !== undefined) return `group ${externalGroupId}${path === undefined ? "" : ` of ${path}`}`;
  if (through.kind === "groupInvite" && email === undefined)
    return `whoever accepts the invite ${through.uid.split("/").at(-1) ?? ""} to ${pathOfGroup(place)}`;
  return personInWords(holder) ?? path ?? email ?? account ?? holderUid(source);
}

function loginInWords(login: Holder["login"]): string {
  return login === undefined ? "" : describeLogin(login);
}
