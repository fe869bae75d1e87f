import { nearestName } from "../../provider/client/nearest-name";
import { list, literal } from "../../provider/client/printable";
import { hasPlatformForm, isUid } from "../../provider/client/uid";
import { someText } from "../../provider/kinds/inputs";
import { isEventual, isObject } from "../functions/arguments";
import { type Grant, type KeyPath, type Member, memberKey, pathOf, type Placed, type TreeProblem } from "./plan";

/** The access of one group, as it is written. */
export interface WrittenAccess {
  /** Keys of the group. */
  readonly keys: KeyPath;
  /** Where it is written. */
  readonly at: KeyPath;
  /** Lists of identities by roles. */
  readonly roles: unknown;
}

/** What access may refer to. */
interface Written {
  readonly groups: readonly Placed[];
  readonly identities: readonly Placed[];
  readonly access: readonly WrittenAccess[];
}

/** The grants of a tree, and everything that is wrong with them. @param component the first segment of every path */
export function readAccess(component: string, written: Written): { grants: Grant[]; problems: TreeProblem[] } {
  const reader = new AccessReader(component, written);
  for (const access of written.access) reader.read(access);
  return reader;
}

class AccessReader {
  readonly grants: Grant[] = [];
  readonly problems: TreeProblem[] = [];
  /** The identities of the tree by their paths. A path may have the key of a group or its name. */
  readonly #byPath = new Map<string, KeyPath>();
  readonly #groups = new Set<string>();

  constructor(
    private readonly component: string,
    private readonly written: Written,
  ) {
    this.#groups.add(component);
    for (const { keys } of written.groups) this.#groups.add(this.#path(keys));
    for (const { keys } of written.identities) this.#byPath.set(this.#path(keys), keys);
  }

  read({ keys, at, roles }: WrittenAccess): void {
    if (roles === null) return;
    if (!isObject(roles)) {
      this.#refuse(at, at, `must be an object: { role: [identities] }${isEventual(roles) ? known : ""}`);
      return;
    }
    for (const [role, members] of Object.entries(roles)) {
      const place = [...at, role];
      for (const problem of problemsOf(role)) this.#refuse(at, place, `the name of a role ${problem}`);
      // A role without identities in a file.
      if (members === null) continue;
      if (!Array.isArray(members)) {
        this.#refuse(place, place, `must be a list of identities${isEventual(members) ? known : ""}`);
        continue;
      }
      this.#members(keys, role, members, place);
    }
  }

  #members(group: KeyPath, role: string, members: readonly unknown[], at: KeyPath): void {
    const seen = new Map<string, unknown>();
    for (const [index, text] of members.entries()) {
      const place = [...at, String(index)];
      const found = this.#member(group, text);
      if (typeof found === "string") {
        this.#refuse(at, place, found);
        continue;
      }
      const key = memberKey(found);
      const first = seen.get(key);
      if (first !== undefined)
        this.#refuse(at, place, `${literal(text)} is in the list twice${first === text ? "" : `: as ${literal(first)} too`}`);
      else this.grants.push({ group, role, member: found });
      seen.set(key, text);
    }
  }

  /** The identity that `text` in `group` means, else what is wrong with it. */
  #member(group: KeyPath, text: unknown): Member | string {
    if (isEventual(text))
      return `an identity must be known now${known}. Declare a RoleBinding for an identity that only its uid names`;
    if (typeof text !== "string") return `an identity must be text, and not ${literal(text)}`;
    const [problem] = problemsOf(text);
    if (problem !== undefined) return `an identity ${problem}`;
    if (hasPlatformForm(text) && isUid(text)) return { uid: text };
    return text.includes("/") ? this.#atPath(text) : this.#named(group, text);
  }

  /** The identity of this name in `group` or around it. */
  #named(group: KeyPath, name: string): Member | string {
    const around = [...group.keys(), group.length].map((depth) => group.slice(0, depth));
    const paths = around.map((keys) => this.#path([...keys, name])).filter((path) => this.#byPath.has(path));
    const [path, ...others] = paths;
    const keys = this.#byPath.get(path ?? "");
    if (keys !== undefined && others.length === 0) return { keys };
    // The nearest one does not win: a new identity must not take the access of another one over.
    if (keys !== undefined) return `${literal(name)} may be ${list(paths.map(literal))}. Write the path of the one you mean`;
    const visible = [...this.#byPath.values()].filter((each) => each.slice(0, -1).every((key, depth) => key === group[depth]));
    const elsewhere = [...this.#byPath].filter(([, each]) => each.at(-1) === name).map(([each]) => literal(each));
    const near = nearestName(
      name,
      visible.map((each) => each.at(-1) ?? ""),
    );
    const where = `neither ${literal(this.#path(group))} nor a group around it declares the identity ${literal(name)}`;
    if (elsewhere.length > 0) return `${where}. Write its path: ${elsewhere.slice(0, 10).join(" or ")}`;
    return near === undefined
      ? `${where}. Declare it, or write the path of another one, such as "${this.component}/engineering/ci"`
      : `${where}; did you mean ${literal(near)}?`;
  }

  /** The identity at a path: of this tree, or another one of the platform. */
  #atPath(path: string): Member | string {
    const keys = this.#byPath.get(path);
    if (keys !== undefined) return { keys };
    const place = path.slice(0, path.lastIndexOf("/"));
    if (path.split("/").includes("")) return `${literal(path)} is not a path: it has an empty segment`;
    if (!this.#groups.has(place)) return { path };
    const near = nearestName(path, [...this.#byPath.keys()]);
    const hint = near === undefined ? "" : `; did you mean ${literal(near)}?`;
    return `${literal(place)} declares no identity ${literal(path.slice(place.length + 1))}${hint || ". To bind one that another program declares there, write its uid"}`;
  }

  #path(keys: KeyPath): string {
    return pathOf(this.component, keys);
  }

  #refuse(entry: KeyPath, at: KeyPath, reason: string): void {
    this.problems.push({ entry, at, reason });
  }
}

const known = ": it is an output, and the names of role bindings follow from it";

function problemsOf(text: unknown): string[] {
  return someText.safeParse(text).error?.issues.map(({ message }) => message) ?? [];
}
