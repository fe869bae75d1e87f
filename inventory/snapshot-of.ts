import { areInOneLine, parentOf } from "../provider/client/uid";
import type {
  Snapshot,
  SnapshotAccount,
  SnapshotBinding,
  SnapshotIdentity,
  SnapshotMapping,
  SnapshotOffer,
  SnapshotProvider,
  SnapshotRole,
  Unreadable,
} from "../access/snapshot";
import { valueInWords } from "../access/values";
import { present, type Values } from "../provider/kinds/values";
import { loginForms } from "../provider/kinds/identity";
import { unknownValue } from "../provider/kinds/inputs";
import { kindNames } from "./kinds";
import type { InventoryObject, UnreadablePart } from "./objects";

/** An object of an inventory, of a state or of a preview. */
export type SnapshotSource = Pick<InventoryObject, "kind" | "uid" | "place" | "value"> & {
  readonly name?: string;
  /** As the platform shows it. */
  readonly row?: object;
};

/**
 * Who may do what where, by `objects`.
 *
 * @param unreadable what may be missing among them. Bound identities and roles that are missing are added
 * @param about uid of the group that they are about: identity providers of other branches give no default role there. Default: the
 *   objects are about all groups
 */
export function snapshotOf(
  objects: Iterable<SnapshotSource>,
  unreadable: readonly (Unreadable | UnreadablePart)[] = [],
  about?: string,
): Snapshot {
  const groups = new Map<string, { name: string }>();
  const identities = new Map<string, SnapshotIdentity>();
  const roles = new Map<string, SnapshotRole>();
  const bindings: SnapshotBinding[] = [];
  const mappings: SnapshotMapping[] = [];
  const providers = new Map<string, SnapshotProvider>();
  const offers: SnapshotOffer[] = [];
  const accounts: SnapshotAccount[] = [];
  const people = new Map<string, SnapshotIdentity>();
  const missing: Unreadable[] = unreadable.map(({ what, reason }) => ({ what, reason }));
  const miss = (what: string, reason: string) => missing.push({ what, reason });
  for (const object of objects) {
    const { kind, uid, value } = object;
    const name = object.name ?? textOf(value, "name");
    if (kind === kindNames.group) groups.set(uid, { name });
    else if (kind === kindNames.identity) identities.set(uid, { name, ...loginOf(value) });
    else if (kind === kindNames.role) roles.set(uid, { name, ...capabilitiesOf(object) });
    else if (kind === kindNames.roleBinding) {
      const [identityUid, roleUid, place] = [textOf(value, "identityUid"), textOf(value, "roleUid"), object.place];
      if (identityUid !== "" && roleUid !== "" && place !== undefined) {
        bindings.push({ uid, place, identityUid, roleUid });
        const person = personIn(object.row, identityUid);
        if (person !== undefined) people.set(identityUid, person);
      } else miss(`role binding ${uid}`, "it does not say what it binds: the identity or the role may have been deleted");
    } else if (kind === kindNames.externalGroupRoleMapping) {
      const identityProviderUid = textOf(value, "identityProviderUid") || (parentOf(uid) ?? "");
      const [externalGroupId, roleUid, place] = [
        textOf(value, "externalGroupId"),
        textOf(value, "roleUid"),
        textOf(value, "scope"),
      ];
      if (roleUid !== "" && place !== "") mappings.push({ uid, place, externalGroupId, identityProviderUid, roleUid });
      else miss(`external group role mapping ${uid}`, "it does not say which role it gives where");
    } else if (kind === kindNames.identityProvider) {
      const { oidc } = value;
      providers.set(uid, { name, ...(oidc !== undefined && { login: { oidc } }) });
      const { place = "" } = object;
      const isBeside = about !== undefined && place !== "" && !areInOneLine(place, about);
      if (!isBeside) offers.push({ uid, kind: "identityProvider", place, roleUid: textOf(value, "defaultRole") });
    } else if (kind === kindNames.groupInvite) {
      const email = textOf(value, "email");
      const roleUid = textOf(value, "roleUid");
      offers.push({ uid, kind: "groupInvite", place: object.place ?? "", roleUid, ...(email !== "" && { email }) });
    } else if (kind === kindNames.accountAssociation) {
      accounts.push(...accountsOf(value).map((account) => ({ uid, place: uid, ...account })));
    }
  }
  for (const [uid, person] of people) if (identities.get(uid)?.login === undefined) identities.set(uid, person);
  for (const uid of new Set(bindings.map(({ identityUid }) => identityUid)))
    if (identities.get(uid)?.login === undefined) miss(`how identity ${uid} logs in`, notShown);
  for (const uid of new Set([...bindings, ...mappings, ...offers].map(({ roleUid }) => roleUid)))
    if (roles.get(uid)?.capabilities === undefined) miss(`capabilities of role ${uid}`, notShown);
  return { groups, identities, roles, bindings, mappings, providers, offers, accounts, unreadable: missing };
}

const notShown = "it is not among what could be read";

function textOf(value: Values, field: string): string {
  return typeof value[field] === "string" ? value[field] : "";
}

/** Lists of identities do not show people, who are in no group; a role binding says how its holder logs in. */
function personIn(row: object = {}, identityUid: string): SnapshotIdentity | undefined {
  const { name = "", issuer, subject } = (Reflect.get(row, "identity") ?? {}) as Partial<Record<string, string>>;
  return parentOf(identityUid) === undefined && issuer && subject
    ? { name, login: { claimMatch: { issuer, subject } } }
    : undefined;
}

function loginOf(value: Values): Pick<SnapshotIdentity, "login"> {
  const login = loginIn(value);
  return Object.keys(login).length === 0 ? {} : { login };
}

/** How an identity logs in, by its fields. */
export function loginIn(value: Values): Readonly<Record<string, unknown>> {
  return present(loginForms.map((form) => [form, value[form]]));
}

/** A role that is shown with none allows nothing; one of which only the name, or a part of the list, is known may allow anything. */
function capabilitiesOf({ value, row = {} }: SnapshotSource): Pick<SnapshotRole, "capabilities"> {
  const capabilities = value["capabilities"] ?? (row as Values)["capabilities"];
  const isKnown = Array.isArray(capabilities) && !capabilities.includes(unknownValue);
  return isKnown ? { capabilities: capabilities.map(String) } : {};
}

/** The accounts of an association. Whatever decides who acts for the group is in them: a change is another account. */
function accountsOf({ amazon, google, azure, github, chainguard }: Values): Pick<SnapshotAccount, "account" | "identityUid">[] {
  const memberOf = (block: unknown, member: string) =>
    typeof block === "object" && block !== null ? (block as Values)[member] : block;
  const inWords = (block: unknown, member: string) => valueInWords(memberOf(block, member) ?? "");
  const entriesIn = (block: unknown, member: string): [string, unknown][] => {
    const entries = memberOf(block, member);
    if (entries === unknownValue) return [[unknownValue, unknownValue]];
    return typeof entries === "object" && entries !== null ? Object.entries(entries) : [];
  };
  const tenant = `Azure tenant ${inWords(azure, "tenantId")}`;
  const clients = entriesIn(azure, "clientIds").map(
    ([component, id]) => `${tenant}, client ${valueInWords(id)} of ${valueInWords(component)}`,
  );
  const apps = entriesIn(github, "appInstallations").flatMap(([app, value]) => {
    const installations = memberOf(value, "installations");
    const all: unknown[] = Array.isArray(installations) ? installations : [];
    const name = `GitHub app ${valueInWords(app)}`;
    return all.length === 0 ? [name] : all.map((each) => `${name}, installation ${inWords(each, "installationId")}`);
  });
  const others = [
    ...(amazon ? [`AWS account ${inWords(amazon, "account")}`] : []),
    ...(google ? [`Google Cloud project ${inWords(google, "projectId")}, number ${inWords(google, "projectNumber")}`] : []),
    ...(azure ? (clients.length === 0 ? [tenant] : clients) : []),
    ...apps,
  ];
  return [
    ...others.map((account) => ({ account })),
    ...entriesIn(chainguard, "serviceBindings").map(([service, identity]) => ({
      account: `service ${valueInWords(service)} of the platform`,
      identityUid: String(identity),
    })),
  ];
}
