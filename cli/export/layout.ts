import { parentOf } from "../../provider/client/uid";
import { kindNames } from "../../inventory/kinds";
import type { PlatformObject } from "../../inventory/objects";
import type { Program } from "./program";
import { type Resource, targetsIn } from "./values";

/** A file of the program. Each of its resources follows the resources that it uses. */
export interface SourceFile {
  /** Path without its ending: `engineering/shop`. */
  readonly path: string;
  /** The group of the file; undefined for objects directly in the root of the organisation. */
  readonly group: PlatformObject | undefined;
  /** Whether it contains only resources that use other branches of the tree. */
  readonly isAccess: boolean;
  readonly resources: readonly Resource[];
}

/** Maximum number of resources of a group and its subtree in one file. */
const smallTree = 40;

/** The file for objects directly in the root of an organisation. */
const rootFile = "organization";

/**
 * Paths that no group may use. They are the files of every program and the JSON files beside them. For `./import`, Node.js prefers
 * `import.json` to `import.ts`, so the group would not be declared and the next update would delete it.
 */
const takenPaths: ReadonlySet<string> = new Set([
  ...[rootFile, "index", "bindings"],
  ...["import", "import-protected", "package", "package-lock", "tsconfig"],
]);

/**
 * The files of `program`. They follow the tree. A small subtree is one file; a larger one is a file for its group and a folder for the
 * groups below. A file uses only files above it. Resources that use other branches are in a second file, `shop.access`, which no file uses.
 */
export function filesOf({ resources }: Program): SourceFile[] {
  const tree = new Tree(resources);
  const byObject = new Map(resources.map((resource) => [resource.object, resource]));
  const later = laterOf(resources, tree, byObject);
  const files = new Map<string, { group: PlatformObject | undefined; isAccess: boolean; resources: Resource[] }>();
  for (const resource of resources) {
    const { path, group } = tree.fileOf(resource);
    const isAccess = later.has(resource);
    const name = isAccess ? `${path}.access` : path;
    const file = files.get(name) ?? { group, isAccess, resources: [] };
    file.resources.push(resource);
    files.set(name, file);
  }
  return [...files].map(([path, file]) => ({ ...file, path, resources: inOrder(file.resources, byObject) }));
}

/** The resources that use another branch of the tree, directly or through another resource. */
function laterOf(
  resources: readonly Resource[],
  tree: Tree,
  byObject: ReadonlyMap<PlatformObject, Resource>,
): ReadonlySet<Resource> {
  const later = new Set<Resource>();
  // A resource precedes its users, except for the few that use each other across branches.
  for (let before = -1; before < later.size;) {
    before = later.size;
    for (const resource of resources) {
      const { path } = tree.fileOf(resource);
      const isLater = usedBy(resource, byObject).some(
        (used) => later.has(used) || !tree.isAtOrAbove(tree.fileOf(used).path, path),
      );
      if (isLater) later.add(resource);
    }
  }
  return later;
}

/** The resources that `resource` uses. */
export function usedBy(resource: Resource, byObject: ReadonlyMap<PlatformObject, Resource>): Resource[] {
  return targetsIn(resource.args).flatMap((target) => byObject.get(target) ?? []);
}

/** `resources` in their order, but each after the resources that it uses. */
function inOrder(resources: readonly Resource[], byObject: ReadonlyMap<PlatformObject, Resource>): Resource[] {
  const here = new Set(resources);
  const ordered = new Set<Resource>();
  const visit = (resource: Resource, from: ReadonlySet<Resource>) => {
    if (ordered.has(resource) || from.has(resource)) return;
    const path = new Set([...from, resource]);
    for (const used of usedBy(resource, byObject)) if (here.has(used)) visit(used, path);
    ordered.add(resource);
  };
  for (const resource of resources) visit(resource, new Set());
  return [...ordered];
}

/** The files of the groups of a program. */
class Tree {
  readonly #groups: ReadonlyMap<string, PlatformObject>;
  readonly #sizes = new Map<string, number>();
  readonly #paths = new Map<string, string>();
  readonly #taken = new Set<string>();

  constructor(resources: readonly Resource[]) {
    const groups = resources.filter(({ object }) => object.kind === kindNames.group);
    this.#groups = new Map(groups.map(({ object }) => [object.uid, object]));
    for (const { object } of resources)
      for (let uid = groupOf(object); uid !== undefined; uid = parentOf(uid))
        this.#sizes.set(uid, (this.#sizes.get(uid) ?? 0) + 1);
    // Parents come first, because the path of a group continues the path of the group above.
    const above = new Map<string, string>();
    for (const { object } of [...groups].sort((one, other) => one.object.uid.length - other.object.uid.length)) {
      const parent = parentOf(object.uid) ?? "";
      const folder = above.get(parent);
      const inFile = this.#paths.get(parent);
      if (inFile !== undefined && folder === undefined) {
        this.#paths.set(object.uid, inFile);
        continue;
      }
      const path = this.#free(`${folder === undefined ? "" : `${folder}/`}${slug(object.name ?? "")}`);
      this.#paths.set(object.uid, path);
      if ((this.#sizes.get(object.uid) ?? 0) > smallTree) above.set(object.uid, path);
    }
  }

  /** The file of a resource, and the group at its top. */
  fileOf({ object }: Resource): { path: string; group: PlatformObject | undefined } {
    let uid = groupOf(object);
    while (uid !== undefined && !this.#paths.has(uid)) uid = parentOf(uid);
    if (uid === undefined) return { path: rootFile, group: undefined };
    const path = this.#paths.get(uid) ?? rootFile;
    for (let top = parentOf(uid); top !== undefined && this.#paths.get(top) === path; top = parentOf(top)) uid = top;
    return { path, group: this.#groups.get(uid) };
  }

  /** Whether the file `path` may use the file `used`. */
  isAtOrAbove(used: string, path: string): boolean {
    return used === rootFile || used === path || path.startsWith(`${used}/`);
  }

  #free(path: string): string {
    let free = path;
    for (let count = 2; this.#taken.has(free) || takenPaths.has(free); count += 1) free = `${path}-${count}`;
    this.#taken.add(free);
    return free;
  }
}

function groupOf(object: PlatformObject): string | undefined {
  return object.kind === kindNames.group ? object.uid : object.place;
}

/** A name for a file on every system. */
function slug(name: string): string {
  const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? ["group"];
  const text = words.join("-").slice(0, 60).replaceAll(/-+$/g, "");
  return /^(con|prn|aux|nul|com\d|lpt\d|node-modules)$/.test(text) ? `${text}-group` : text;
}
