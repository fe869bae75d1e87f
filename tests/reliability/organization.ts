import type { TestPlatform, WireObject } from "../support/test-platform";
import type { Random } from "./random";

/** What a program declares, with logical names that are the names of the objects too. */
export interface Declared {
  groups: { name: string; parent: string | undefined; description: string }[];
  identities: { name: string; parent: string }[];
  bindings: { identity: string; parent: string | undefined; role: string }[];
}

const collections = ["groups", "identities", "roleBindings"];
const issuer = "https://gitlab.com";

/** A random tree of `groups` groups, with an identity and a binding in some of them. */
export function randomOrganization(random: Random, groups: number): Declared {
  const declared: Declared = { groups: [], identities: [], bindings: [] };
  for (let index = 0; index < groups; index++) {
    const above = declared.groups.map((group) => group.name);
    const parent = random.of([undefined, ...above]);
    declared.groups.push({ name: `group-${index}`, parent, description: random.of(["", "Made by the program"]) });
  }
  const names = declared.groups.map((group) => group.name);
  for (let index = 0; index < 3; index++) {
    const identity = { name: `identity-${index}`, parent: random.of(names) };
    declared.identities.push(identity);
    declared.bindings.push({ identity: identity.name, parent: random.of([undefined, identity.parent]), role: "viewer" });
  }
  return declared;
}

const variable = (name: string | undefined) => (name === undefined ? "root" : `o["${name}"].uid`);

/** The program that declares it. */
export function programOf({ groups, identities, bindings }: Declared): string {
  return [
    "const o = {};",
    'const viewer = platform.getRoleOutput({ name: "viewer" }).uid;',
    ...groups.map(
      ({ name, parent, description }) =>
        `o["${name}"] = new Group("${name}", { parentUid: ${variable(parent)}, description: "${description}" });`,
    ),
    ...identities.map(
      ({ name, parent }) =>
        `o["${name}"] = new Identity("${name}", { parentUid: ${variable(parent)}, claimMatch: { issuer: "${issuer}", subject: "${name}" } });`,
    ),
    ...bindings.map(
      ({ identity, parent }) =>
        `new RoleBinding("${identity}-viewer", { parentUid: ${variable(parent)}, identityUid: ${variable(identity)}, roleUid: viewer });`,
    ),
  ].join("\n");
}

export function countOf({ groups, identities, bindings }: Declared): number {
  return groups.length + identities.length + bindings.length;
}

/** The objects that it declares, one line each, sorted. */
export function declaredObjects({ groups, identities, bindings }: Declared): string[] {
  const parents = new Map([...groups, ...identities].map(({ name, parent }) => [name, parent]));
  const pathOf = (name: string | undefined): string => (name === undefined ? "" : `${pathOf(parents.get(name))}/${name}`);
  return [
    ...groups.map(({ name, description }) => `group ${pathOf(name)} ${description}`.trimEnd()),
    ...identities.map(({ name }) => `identity ${pathOf(name)} ${name}`),
    ...bindings.map(({ identity, parent, role }) => `binding of ${pathOf(identity)} to ${role} in ${pathOf(parent) || "/"}`),
  ].sort();
}

/** The objects below the root group that are not in `before`, in the same form: a duplicate is a line that comes twice. */
export async function madeObjects(platform: TestPlatform, before: ReadonlySet<string>): Promise<string[]> {
  const [groups = [], identities = [], bindings = []] = await Promise.all(collections.map((kind) => platform.objects(kind)));
  const names = new Map([...groups, ...identities].map((row) => [row.uid, row.name]));
  const parentOf = (uid: string) => uid.slice(0, uid.lastIndexOf("/"));
  const pathOf = (uid: string): string => (names.has(parentOf(uid)) ? `${pathOf(parentOf(uid))}/${names.get(uid) ?? ""}` : "");
  const ours = (rows: WireObject[]) => rows.filter(({ uid }) => uid.startsWith(`${platform.root}/`) && !before.has(uid));
  return [
    ...ours(groups).map((row) => `group ${pathOf(row.uid)} ${String(row["description"])}`.trimEnd()),
    ...ours(identities).map((row) => `identity ${pathOf(row.uid)} ${(row["claimMatch"] as { subject: string }).subject}`),
    ...ours(bindings).map((row) => {
      const { identity, role } = row as unknown as Record<"identity" | "role", WireObject>;
      return `binding of ${pathOf(identity.uid)} to ${role.name} in ${pathOf(parentOf(row.uid)) || "/"}`;
    }),
  ].sort();
}

/** Every group, identity and role binding that there is. */
export async function allObjects(platform: TestPlatform): Promise<WireObject[]> {
  return (await Promise.all(collections.map((kind) => platform.objects(kind)))).flat();
}
