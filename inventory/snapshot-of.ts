import { areInOneLine, parentOf } from "../provider/client/uid";
import type {
  Snapshot,
  SnapshotBinding,
  SnapshotIdentity,
  SnapshotMapping,
  SnapshotOffer,
  SnapshotProvider,
  SnapshotRole,
  Hidden,
} from "../access/snapshot";
import { isPersonUid, located } from "../access/holders";
import { nameInWords } from "../access/values";
import { accountsIn } from "./accounts";
import { present, type Values } from "../provider/schema/values";
import { loginForms } from "../provider/kinds/identity";
import { unknownValue } from "../provider/schema/inputs";
import { kindNamed, kindNames } from "./kinds";
import type { InventoryObject } from "./objects";

/** An object of an inventory, of a state or of a preview. */
export type SnapshotSource = Pick<InventoryObject, "kind" | "uid" | "place" | "value"> & {
  readonly name?: string;
  /** As the platform shows it. */
  readonly row?: object;
};

/**
 * Who may do what where, by `objects`.
 *
 * @param unreadable parts that may be missing among them. Missing bound identities and roles are added
 * @param about uid of the group that the objects are about. Identity providers of other branches give no default role there. Default: the
 * objects are about all groups
 */
export function snapshotOf(objects: Iterable<SnapshotSource>, unreadable: readonly Hidden[] = [], about?: string): Snapshot {
  const byKind = Map.groupBy(objects, ({ kind }) => kind);
  const all = (kind: string) => byKind.get(kind) ?? [];
  const missing: Hidden[] = unreadable.map(({ what, reason, kinds }) => ({ what, reason, ...(kinds && { kinds }) }));
  const miss = (what: string, reason: string, kind?: string) => missing.push({ what, reason, ...(kind && { kinds: [kind] }) });
  /** The content of the objects of a kind. An object with too little content is noted as missing. */
  const parts = <Part>(kind: string, partOf: (object: SnapshotSource) => Part | undefined, why: string): Part[] =>
    all(kind).flatMap((object) => {
      const part = partOf(object);
      if (part === undefined) miss(`${kindNamed(kind).collection.noun} ${object.uid}`, why);
      return part ?? [];
    });

  const bindings = parts(
    kindNames.roleBinding,
    bindingOf,
    "it does not name its identity or its role, which may have been deleted",
  );
  const mappings = parts(kindNames.externalGroupRoleMapping, mappingOf, "it does not name its role or its group");
  const identities = new Map([...all(kindNames.identity), ...peopleIn(all(kindNames.roleBinding))].map(identityOf));
  const roles = new Map(all(kindNames.role).map((object) => [object.uid, { name: nameOf(object), ...capabilitiesOf(object) }]));
  const providers = all(kindNames.identityProvider);
  const offering = providers.filter(({ place }) => about === undefined || !place || areInOneLine(place, about));
  const offers = [...offering.map(offerOfProvider), ...all(kindNames.groupInvite).map(offerOfInvite)];

  const snapshot: Snapshot = {
    groups: new Map(all(kindNames.group).map((object) => [object.uid, { name: nameOf(object) }])),
    identities,
    roles,
    bindings,
    mappings,
    providers: new Map(providers.map((object) => [object.uid, providerOf(object)])),
    offers,
    accounts: all(kindNames.accountAssociation).flatMap(({ uid, value }) =>
      accountsIn(value).map((account) => ({ uid, place: uid, ...account })),
    ),
    unreadable: missing,
  };
  const called = (uid: string) => nameInWords(located(snapshot, uid).path ?? uid);
  for (const uid of new Set(bindings.map(({ identityUid }) => identityUid)))
    // The uid of a person stands for a single login, even if the platform does not show it.
    if (identities.get(uid)?.login === undefined && !isPersonUid(uid))
      miss(`how identity ${called(uid)} logs in`, notShown, kindNames.identity);
  for (const uid of new Set([...bindings, ...mappings, ...offers].map(({ roleUid }) => roleUid)))
    if (roles.get(uid)?.capabilities === undefined) miss(`capabilities of role ${called(uid)}`, notShown, kindNames.role);
  return snapshot;
}

const notShown = "it is not among the readable objects";

function textOf(value: Values, field: string): string {
  return typeof value[field] === "string" ? value[field] : "";
}

function nameOf({ name, value }: SnapshotSource): string {
  return name ?? textOf(value, "name");
}

function bindingOf({ uid, place, value }: SnapshotSource): SnapshotBinding | undefined {
  const [identityUid, roleUid] = [textOf(value, "identityUid"), textOf(value, "roleUid")];
  if (identityUid === "" || roleUid === "" || place === undefined) return undefined;
  const label = textOf(value, "label");
  return { uid, place, identityUid, roleUid, ...(label !== "" && { label }) };
}

function mappingOf({ uid, value }: SnapshotSource): SnapshotMapping | undefined {
  const [externalGroupId, roleUid, place] = [textOf(value, "externalGroupId"), textOf(value, "roleUid"), textOf(value, "scope")];
  const identityProviderUid = textOf(value, "identityProviderUid") || (parentOf(uid) ?? "");
  return roleUid === "" || place === "" ? undefined : { uid, place, externalGroupId, identityProviderUid, roleUid };
}

function providerOf(object: SnapshotSource): SnapshotProvider {
  const { oidc } = object.value;
  return { name: nameOf(object), ...(oidc !== undefined && { login: { oidc } }) };
}

function offerOfProvider({ uid, place = "", value }: SnapshotSource): SnapshotOffer {
  return { uid, kind: "identityProvider", place, roleUid: textOf(value, "defaultRole") };
}

function offerOfInvite({ uid, place = "", value }: SnapshotSource): SnapshotOffer {
  const email = textOf(value, "email");
  return { uid, kind: "groupInvite", place, roleUid: textOf(value, "roleUid"), ...(email !== "" && { email }) };
}

/** The people named in role bindings, as identities. Lists of identities omit people, who belong to no group. */
export function peopleIn(objects: Iterable<SnapshotSource>): InventoryObject[] {
  return [...objects].flatMap(({ kind, value, row = {} }): InventoryObject[] => {
    const uid = textOf(value, "identityUid");
    if (kind !== kindNames.roleBinding || uid === "" || parentOf(uid) !== undefined) return [];
    const shown = (Reflect.get(row, "identity") ?? {}) as Partial<Record<"uid" | "issuer" | "subject" | "email", string>>;
    const { issuer, subject, email } = shown;
    if (!issuer || !subject || (shown.uid ?? uid) !== uid) return [];
    return [
      { kind: kindNames.identity, uid, place: undefined, value: { claimMatch: { issuer, subject }, ...(email && { email }) } },
    ];
  });
}

function identityOf(object: SnapshotSource): [uid: string, identity: SnapshotIdentity] {
  const { uid, value } = object;
  const verifiedEmail = textOf(value, "email");
  return [uid, { name: nameOf(object), ...loginOf(value), ...(verifiedEmail !== "" && { verifiedEmail }) }];
}

function loginOf(value: Values): Pick<SnapshotIdentity, "login"> {
  const login = loginIn(value);
  return Object.keys(login).length === 0 ? {} : { login };
}

/** The login of an identity, by its fields. */
export function loginIn(value: Values): Readonly<Record<string, unknown>> {
  return present(loginForms.map((form) => [form, value[form]]));
}

/** The capabilities of a role, if all are known. An empty list grants nothing; a missing or partial list may grant anything. */
export function capabilitiesOf({ value, row = {} }: Pick<SnapshotSource, "value" | "row">): Pick<SnapshotRole, "capabilities"> {
  const capabilities = value["capabilities"] ?? (row as Values)["capabilities"];
  const isKnown = Array.isArray(capabilities) && !capabilities.includes(unknownValue);
  return isKnown ? { capabilities: capabilities.map(String) } : {};
}
