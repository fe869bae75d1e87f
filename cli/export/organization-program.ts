import { kindNames } from "../../inventory/kinds";
import type { KeyedObject } from "../../inventory/objects";
import type { PlatformInventory } from "../../inventory/platform";
import { capabilitiesOf } from "../../inventory/snapshot-of";
import type { PlatformClient } from "../../provider/client/client";
import { parentOf } from "../../provider/client/uid";
import { kinds } from "../../provider/kinds/kinds";
import { isBuiltIn } from "../../provider/kinds/role";
import type { Format } from "./format";
import type { Managed } from "./managed";
import { type Program, programOf } from "./program";
import { declaresGroup, projectFiles } from "./project";
import { type KnownRole, surroundingsOf } from "./surroundings";
import { inYaml } from "./yaml";

/** The program for the objects of an inventory. */
export async function organizationProgram(
  client: PlatformClient,
  { root, objects, around }: PlatformInventory,
  managed: Managed,
  { format, protect, dependency }: { format: Format; protect: boolean; dependency: string | undefined },
): Promise<{ program: Program; files: Map<string, string>; root: { uid: string; path?: string } }> {
  const isManaged = ({ kind, uid }: KeyedObject) => managed.objects.has(kind, uid);
  const known = surroundingsOf({
    root,
    objects: [...around.all, ...objects.all],
    builtInRoles: await builtInRoles(client),
    hasAllIdentities: parentOf(root) === undefined,
    managed: objects.all.filter(isManaged),
    removerOf: managed.removerOf,
  });
  const written = format === "yaml" ? inYaml(known) : known;
  const surroundings = protect ? written : { ...written, isProtected: () => false };
  const program = programOf(
    objects.all.filter((object) => !isManaged(object)),
    surroundings,
  );
  const group = objects.get(kindNames.group, root);
  const rootPath = surroundings.pathOf(root);
  const above = parentOf(root);
  const placeAround = declaresGroup(program, root) ? above : root;
  const files = projectFiles(
    program,
    {
      root: { uid: root, path: rootPath, name: group?.name ?? "" },
      around: placeAround === undefined ? undefined : { uid: placeAround, path: surroundings.pathOf(placeAround) },
      knownName: (uid) => surroundings.roleName(uid) ?? surroundings.pathOf(uid),
      dependency,
    },
    format,
  );
  return { program, files, root: { uid: root, ...(rootPath !== undefined && { path: rootPath }) } };
}

/** The built-in roles; undefined if they cannot be read. */
async function builtInRoles(client: PlatformClient): Promise<ReadonlyMap<string, KnownRole> | undefined> {
  try {
    const rows = await client.list(kinds.role.collection, { inRoot: true });
    const builtIn = rows.filter(({ uid }) => isBuiltIn(uid));
    return builtIn.length === 0
      ? undefined
      : new Map(builtIn.map((row) => [row.uid, { name: row.name, ...capabilitiesOf({ value: {}, row }) }]));
  } catch {
    return undefined;
  }
}
