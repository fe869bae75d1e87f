import * as pulumi from "@pulumi/pulumi";
import type { Identity } from "../kinds/identity";
import type { ResourceClasses } from "./component";
import { type Grant, type Member, memberKey, pathOf } from "./plan";

/** The kind of resource by which a component gives access. */
export interface AccessAs {
  /**
   * `RoleBinding`: each role of each identity is a resource. `GroupAccess`: all access to a group is one resource, which leaves the access
   * of others alone; an update of a large organisation is faster. Default: `RoleBinding`.
   */
  accessAs?: "RoleBinding" | "GroupAccess" | undefined;
}

/** The component whose grants are declared, and its resources so far. */
export interface Granting {
  readonly component: string;
  readonly grants: readonly Grant[];
  /** Uids of roles of the program by their names. */
  readonly roles: Readonly<Record<string, pulumi.Input<string>>>;
  readonly identities: Readonly<Record<string, Identity>>;
  /** Options of every resource. */
  readonly opts: pulumi.CustomResourceOptions;
  readonly classes: ResourceClasses;
  /** The uid of the group at a path. */
  readonly uidOf: (path: string) => pulumi.Input<string>;
}

/** Declares each grant as a `RoleBinding`. */
export function declareBindings(granting: Granting): void {
  const { component, grants, roles, classes, uidOf } = granting;
  for (const grant of grants) {
    const { group, role, member } = grant;
    const path = pathOf(component, group);
    const name = [path, ...[role, memberKey(member)].map(escaped)].join(":");
    const roleUid = Object.hasOwn(roles, role) ? roles[role] : undefined;
    const named = roleUid === undefined ? { roleName: role } : { roleUid };
    new classes.RoleBinding(
      name,
      { parentUid: uidOf(path), ...named, ...identityOf(granting, member) },
      optionsOf(granting, [grant]),
    );
  }
}

/** Declares the grants of each group as one `GroupAccess`, with the name of the group. */
export function declareAccess(granting: Granting): void {
  const { component, grants, classes, uidOf } = granting;
  for (const [path, all] of Map.groupBy(grants, ({ group }) => pathOf(component, group)))
    new classes.GroupAccess(
      path,
      { parentUid: uidOf(path), others: "keep", access: accessOf(granting, all) },
      optionsOf(granting, all),
    );
}

/** Who has which role: role, then the text in the tree, then the identity. A role of the program stands there by its uid. */
function accessOf(granting: Granting, grants: readonly Grant[]) {
  const byRole = [...Map.groupBy(grants, ({ role }) => role)].map(([role, all]) => {
    const members = all.map(({ member }) => [memberKey(member), memberOf(granting, member)] as const);
    return [role, Object.fromEntries(members)] as const;
  });
  const own = Object.fromEntries(Object.entries(granting.roles).filter(([role]) => byRole.some(([each]) => each === role)));
  if (Object.keys(own).length === 0) return Object.fromEntries(byRole);
  // The keys of a map are no inputs of their own.
  return pulumi.output(own).apply((uids) => {
    const uidOf = (role: string) => (Object.hasOwn(uids, role) ? uids[role] : undefined) ?? role;
    // Two names may mean one role: the members of both have it.
    const byUid = [...Map.groupBy(byRole, ([role]) => uidOf(role))];
    const merged = byUid.map(([uid, all]) => [uid, Object.assign({}, ...all.map(([, members]) => members))] as const);
    return pulumi.output(Object.fromEntries(merged));
  });
}

function memberOf(granting: Granting, member: Member) {
  const identity = identityOf(granting, member);
  return "identityUid" in identity ? identity.identityUid : identity;
}

/** The identity that a grant names, as an argument. */
function identityOf({ component, identities }: Granting, member: Member) {
  if ("keys" in member) return { identityUid: (identities[pathOf(component, member.keys)] as Identity).uid };
  return "uid" in member ? { identityUid: member.uid } : { identityRef: member.identity };
}

/** The options of a resource with `grants`: it waits for the identities of the tree that their references may mean. */
function optionsOf({ component, identities, opts }: Granting, grants: readonly Grant[]): pulumi.CustomResourceOptions {
  const awaited = grants.flatMap(({ member }) =>
    "after" in member && member.after !== undefined ? (identities[pathOf(component, member.after)] ?? []) : [],
  );
  if (awaited.length === 0) return opts;
  return { ...opts, dependsOn: pulumi.output(opts.dependsOn).apply((all) => [...[all ?? []].flat(), ...awaited]) };
}

/** `text` without the character that separates the parts of a binding's name. */
function escaped(text: string): string {
  return text.replace(/[%:]/g, encodeURIComponent);
}
