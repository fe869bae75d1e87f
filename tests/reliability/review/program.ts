import { issuer } from "./logins";
import { inputsOf, type Outcome } from "./engine";
import { known, type Platform, type Thing } from "./platform";
import { type Look, readBy, takenBy } from "./preview";
import { eraOf, type Kind, type Resource, type Slot, type Update } from "./random-update";

/** An update with a root group of its own, so that many fit into one organisation and one program. */
export interface Room {
  /** The outcome of the update. Logical names end with {@link suffix}. */
  readonly outcome: Outcome;
  readonly look: Look;
  readonly suffix: string;
  /** Uid and path of its root group, which stands for the organisation. */
  readonly root: string;
  readonly path: string;
  /** Uid of the organisation, in which a mapping gives its role. */
  readonly organization: string;
  /** Uids on the platform by those of {@link outcome}. */
  readonly uids: Map<string, string>;
}

/** Kinds that others may be in or refer to, so their objects cannot be deleted before a replacement exists. */
const holding: readonly Kind[] = ["Group", "Identity", "Role"];
/** Kinds that the provider may refuse to delete before the replacement. For a GroupAccess, another resource seems to declare its members. */
const undeletable: readonly Kind[] = [...holding, "GroupAccess"];

/**
 * The update as one of several, without what the provider rejects: the path of a group that the program declares, or of what it makes in
 * the same `up`, and role bindings beside a GroupAccess. A mapping gives its role in the organisation, where no custom role of a room has
 * a name.
 */
export function inRoom(update: Update, suffix: string): Update {
  const access = update.get("a0");
  const all = [...update.values()].flatMap(({ before, after }) => [before, after]);
  const isOutsideDeclared = all.some((resource) => resource?.kind === "Group" && resource.title === "outside");
  const changed = ({ before: was }: Slot, side: "before" | "after", resource: Resource | undefined): Resource | undefined => {
    if (resource === undefined || (resource.kind === "RoleBinding" && resource.place === access?.[side]?.place)) return undefined;
    const { place, who } = resource;
    const hasPlacePath = place === "" || (place === "outside" && !isOutsideDeclared);
    const isIdentityThere = update.get(who)?.before !== undefined && side === "after" && was?.whoBy !== "path";
    return {
      ...resource,
      logical: `${resource.logical}${suffix}`,
      ...(!hasPlacePath && { placeBy: "uid" }),
      ...(resource.whoBy === "path" && update.has(who) && !isIdentityThere && { whoBy: "uid" }),
      ...(resource.kind === "ExternalGroupRoleMapping" && { roleBy: "uid" }),
    };
  };
  return new Map(
    [...update].map(([name, slot]) => {
      const [before, after] = [changed(slot, "before", slot.before), changed(slot, "after", slot.after)];
      // An `up --continue-on-error` of the engine never ends if it cannot delete what is to be deleted before it is replaced.
      const isForced = slot.isForced && after !== undefined && !undeletable.includes(after.kind);
      return [name, { ...slot, before, after, isForced }];
    }),
  );
}

/**
 * True for what the provider or the platform rejects of an update, although the simulated engine does it: a GroupAccess beside a role binding of the
 * same group, by whatever name, and the deletion of a group in which others have something. Also for what the engine does not do where
 * another resource fails: it forgets what the program made and only reads now (docs/limits.md#interrupted-runs).
 */
export function isRejected({ update, before, after, state, uids }: Outcome): boolean {
  if ([...update.values()].some(({ isRead, ...slot }) => isRead && slot.before !== undefined && slot.after === undefined))
    return true;
  const isIn = (platform: Platform, group: string | undefined) =>
    platform.all.some(
      ({ kind, slot, parent }) => kind === "RoleBinding" && slot !== undefined && slot !== "a0" && parent === group,
    );
  const takesOthers = before.all.some(({ slot, uid }) => slot === undefined && !after.has(uid));
  return takesOthers || isIn(before, state.get("a0")?.id) || isIn(after, uids.get("a0"));
}

/** The JavaScript that declares the resources of all rooms, before their updates or after them. */
export function programOf(rooms: readonly Room[], side: "before" | "after"): string {
  return [
    'const { unknown } = require("@pulumi/pulumi/output");',
    "const pending = (value) => (pulumi.runtime.isDryRun() ? pulumi.output(unknown) : value);",
    ...rooms.flatMap((room) => ["{", ...partOf(room, side), "}"]),
  ].join("\n");
}

function partOf(room: Room, side: "before" | "after"): string[] {
  const parents = ["Left", "Right"].map(
    (name) => `const ${name} = new pulumi.ComponentResource("acme:index:${name}", "${name}${room.suffix}");`,
  );
  const resources = [...room.outcome.update].flatMap(([name, slot]) => {
    const [resource, other] = side === "before" ? [slot.before, slot.after] : [slot.after, slot.before];
    if (resource !== undefined) return declaration(room, [name, slot], resource, side);
    const uid = other && readBy(room.outcome, slot, other);
    if (other === undefined || uid === undefined) return [];
    return `platform.${other.kind}.get("${other.logical}", "${room.uids.get(uid)}", ${optionsOf({ parent: parentOf(other) })});`;
  });
  return [...parents, ...resources];
}

function declaration(room: Room, [name, slot]: readonly [string, Slot], resource: Resource, side: "before" | "after"): string {
  const { outcome, look, uids } = room;
  const { before } = slot;
  const { claimMatch, ...inputs } =
    side === "before"
      ? (outcome.state.get(name)?.inputs ?? {})
      : inputsOf(resource, outcome.update, eraOf(slot), (other) => known.get(other) ?? `uid of ${other}`);
  const args = Object.entries(inputs).map(([input, value]) =>
    input === "scope" ? `scope: "${room.organization}"` : `${input}: ${textOf(room, value)}`,
  );
  if (claimMatch !== undefined)
    args.push(`claimMatch: ${loginText(resource, textOf(room, claimMatch), side)}`, "allowAnySubject: true");
  const taken = side === "after" && look.imports ? takenBy(outcome, name) : undefined;
  const isMoved =
    side === "after" && before !== undefined && (before.component !== resource.component || before.logical !== resource.logical);
  const options = optionsOf({
    parent: parentOf(resource),
    dependsOn: namedBy(room, resource, side),
    aliases: isMoved && `[{ name: "${before.logical}", parent: ${parentOf(before) ?? "pulumi.rootStackResource"} }]`,
    import: taken && `"${uids.get(taken.uid)}"`,
    retainOnDelete: slot.isRetained && "true",
    // Else its create would meet the old object.
    deleteBeforeReplace: slot.isForced && "true",
  });
  return `const ${name} = new platform.${resource.kind}("${resource.logical}", { ${args.join(", ")} }, ${options});`;
}

/** Resources that another one only names. An `up` does not wait for them by itself. */
function namedBy({ outcome }: Room, { kind, place, who, role, members }: Resource, side: "before" | "after"): string {
  const roles = kind === "GroupAccess" ? members.map((each) => each.role) : [role];
  const isDeclared = (name: string) => outcome.update.get(name)?.[side] !== undefined;
  const grants = !holding.includes(kind) && kind !== "AccountAssociation";
  const others = [...(grants ? roles : []), ...(kind === "RoleBinding" ? [who] : [])];
  return `[${[place, ...others].filter(isDeclared).join(", ")}]`;
}

function loginText({ isLoginSecret, isLoginPending }: Resource, text: string, side: "before" | "after"): string {
  if (side === "after" && isLoginPending) return `pending(${text})`;
  return isLoginSecret ? `pulumi.secret(${text})` : text;
}

/** The variable of the component that a resource is in. */
function parentOf({ component }: Resource): string | undefined {
  return /:(\w+)\$$/.exec(component)?.[1];
}

function optionsOf(options: Readonly<Record<string, string | false | undefined>>): string {
  const given = Object.entries(options).filter(([, value]) => value !== undefined && value !== false);
  return `{ ${given.map(([name, value]) => `${name}: ${value}`).join(", ")} }`;
}

/** A value of an input, with what is of this room and this platform. */
function textOf({ outcome, path, suffix, uids }: Room, value: unknown): string {
  const slotOf = new Map(
    [...outcome.state].flatMap(([name, { id }]) => (outcome.before.get(id)?.slot === name ? [[id, name] as const] : [])),
  );
  return JSON.stringify(value)
    .replaceAll(/"acme(?=["/])/g, `"${path}`)
    .replaceAll(/https:\/\/(\w+)\.example/g, `https://$1-${suffix}.example`)
    .replaceAll(/"uid of (\w+)"/g, "$1.uid")
    .replaceAll(/"([0-9a-f]{40}[^"]*)"/g, (_, uid: string) => (uids.has(uid) ? `"${uids.get(uid)}"` : `${slotOf.get(uid)}.uid`));
}

/** The fields of an object of others on the platform. */
export function fieldsOf({ kind, title, login, allows, who = "", role = "" }: Thing, { uids, suffix }: Room): object {
  if (kind === "RoleBinding") return { identityUid: uids.get(who), roleUid: uids.get(role) };
  const claimMatch = login && { ...login, issuer: issuer.replace(".example", `-${suffix}.example`) };
  return { name: title, ...(claimMatch && { claimMatch }), ...(allows && { capabilities: allows }) };
}
