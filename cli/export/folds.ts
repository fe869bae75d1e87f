import { kindNames } from "../../inventory/kinds";
import { present } from "../../provider/schema/values";
import { plain, type Resource, UidOf, type Value } from "./values";

type Args = Readonly<Record<string, Value>>;

/** Resources declared by one statement. */
export type Fold =
  | {
      readonly is: "bindings";
      readonly members: readonly Resource[];
      /** The arguments that all of them share. */
      readonly place: Args;
      readonly role: Args;
      readonly isProtected: boolean;
      /** The other arguments of each. */
      readonly own: readonly Args[];
    }
  | {
      readonly is: "tags";
      readonly members: readonly Resource[];
      readonly shared: Args;
      readonly names: readonly string[];
      /** The text before the name in each logical name. */
      readonly prefix: string;
    };

/** The folds among the resources of a file. They are role bindings of one role in one group, and otherwise equal tags of one repo. */
export function foldsIn(resources: readonly Resource[]): ReadonlyMap<Resource, Fold> {
  const groups = Map.groupBy(resources, foldKey);
  groups.delete(undefined);
  const folds = [...groups.values()].filter(({ length }) => length > 1).map(fold);
  return new Map(folds.flatMap((each) => each.members.map((member) => [member, each] as const)));
}

/** The common part of the members of a fold; undefined for a resource outside of any fold. */
function foldKey(resource: Resource): string | undefined {
  const { object, args } = resource;
  if (object.kind === kindNames.roleBinding) {
    const { place, role } = partsOf(args);
    return JSON.stringify([object.kind, textOf(place), textOf(role), resource.isProtected]);
  }
  if (object.kind !== kindNames.tag || prefixOf(resource) === undefined) return undefined;
  const { name: _, ...shared } = args;
  return JSON.stringify([object.kind, prefixOf(resource), textOf(shared)]);
}

function fold(members: readonly Resource[]): Fold {
  const [first] = members;
  const args = first?.args ?? {};
  if (first?.object.kind === kindNames.roleBinding) {
    const { place, role } = partsOf(args);
    const own = members.map((member) => partsOf(member.args).own);
    return { is: "bindings", members, place, role, isProtected: first.isProtected, own };
  }
  const { name: _, ...shared } = args;
  return {
    is: "tags",
    members,
    shared,
    names: members.map(({ object }) => object.name ?? ""),
    prefix: (first && prefixOf(first)) ?? "",
  };
}

/** The text before the object's name in its logical name; undefined if text follows the name. */
function prefixOf({ object, logicalName }: Resource): string | undefined {
  const name = object.name ?? "";
  return name !== "" && logicalName.endsWith(`:${name}`) ? logicalName.slice(0, -name.length) : undefined;
}

function partsOf(args: Args): { place: Args; role: Args; own: Args } {
  const { parentUid, parentPath, roleUid, roleName, ...own } = args;
  const given = (members: Readonly<Record<string, Value | undefined>>) => present(Object.entries(members));
  return { place: given({ parentUid, parentPath }), role: given({ roleUid, roleName }), own };
}

/** Distinguishes a reference from a text. */
function textOf(args: Args): string {
  return JSON.stringify(Object.entries(args).map(([name, value]) => [name, value instanceof UidOf, plain(value)]));
}

/** The file with the function that folded bindings call. */
export const bindingsFile = `import type { CustomResourceOptions, Output } from "@pulumi/pulumi";
import { RoleBinding } from "pulumi-platform";

type Place = { parentUid: Output<string> | string } | { parentPath: string };
type Role = { roleUid: Output<string> | string } | { roleName: string };
type Member =
  | { identityUid: Output<string> | string }
  | { identityRef: string | { issuer: string; subject: string } };

/** Gives each of \`members\` the role in the group. The keys of \`members\` are the logical names of the bindings. */
export function bind(
  place: Place,
  role: Role,
  members: Record<string, Member>,
  options?: CustomResourceOptions,
): void {
  for (const [name, member] of Object.entries(members)) {
    new RoleBinding(name, { ...place, ...role, ...member }, options);
  }
}
`;
