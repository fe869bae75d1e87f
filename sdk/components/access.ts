import type { z } from "zod";
import { nearestName } from "../../provider/client/nearest-name";
import { alternatives, literal } from "../../provider/client/printable";
import { hasPlatformForm, isUid } from "../../provider/client/uid";
import { type IdentityRef, referenceRules } from "../../provider/schema/references";
import { isEventual, isObject } from "../program/arguments";
import { type Grant, type KeyPath, type Member, memberKey, pathOf, type Placed, type TreeProblem } from "./plan";

/** The access of one group, as written. */
export interface WrittenAccess {
  /** Keys of the group. */
  readonly keys: KeyPath;
  /** The place of the text. */
  readonly at: KeyPath;
  /** The written value. If it is valid, it holds lists of identities by roles. */
  readonly roles: unknown;
}

/** The objects to which access may refer. */
interface Written {
  readonly groups: readonly Placed[];
  readonly identities: readonly Placed[];
  readonly access: readonly WrittenAccess[];
}

/** The grants of a tree, and all their problems. @param component the first segment of every path */
export function readAccess(component: string, written: Written): { grants: Grant[]; problems: TreeProblem[] } {
  const reader = new AccessReader(component, written);
  for (const access of written.access) reader.read(access);
  return reader;
}

class AccessReader {
  readonly grants: Grant[] = [];
  readonly problems: TreeProblem[] = [];
  /** The identities of the tree by their paths of keys. */
  readonly #byPath = new Map<string, KeyPath>();
  /** The identities by their paths of names without the top, such as `engineering/ci`, if all these names are known. */
  readonly #byNames = new Map<string, KeyPath>();
  /** The identities by their logins, if these are exact and known. Several may share a login, because their audiences or claims differ. */
  readonly #byLogin = new Map<string, readonly KeyPath[]>();
  /** The paths of the groups of the tree. The top is left out, because other programs may declare identities there. */
  readonly #groups = new Set<string>();

  constructor(
    private readonly component: string,
    private readonly written: Written,
  ) {
    const places = new Map<string, string>([[component, ""]]);
    const namesOf = (path: string, { name }: Placed["args"]) => {
      const place = places.get(parentOf(path));
      return place === undefined || typeof name !== "string" ? undefined : `${place}${name}`;
    };
    for (const { keys, args } of written.groups) {
      const path = this.#path(keys);
      this.#groups.add(path);
      const names = namesOf(path, args);
      if (names !== undefined) places.set(path, `${names}/`);
    }
    for (const { keys, args } of written.identities) {
      const path = this.#path(keys);
      this.#byPath.set(path, keys);
      const names = namesOf(path, args);
      if (names !== undefined) this.#byNames.set(names, keys);
      for (const form of [args["claimMatch"], args["staticKeys"]]) {
        if (isLogin(form)) this.#byLogin.set(loginKey(form), [...(this.#byLogin.get(loginKey(form)) ?? []), keys]);
      }
    }
  }

  read({ keys, at, roles }: WrittenAccess): void {
    if (roles === null) return;
    if (!isObject(roles)) {
      this.#reject(at, at, `must be an object: { role: [identities] }${isEventual(roles) ? isOutput : ""}`);
      return;
    }
    for (const [role, members] of Object.entries(roles)) {
      const place = [...at, role];
      for (const problem of problemsOf(referenceRules.role, role)) this.#reject(at, place, `the name of a role ${problem}`);
      // A role without identities in a file.
      if (members === null) continue;
      if (!Array.isArray(members)) {
        this.#reject(place, place, `must be a list of identities${isEventual(members) ? isOutput : ""}`);
        continue;
      }
      this.#members(keys, role, members, place);
    }
  }

  #members(group: KeyPath, role: string, members: readonly unknown[], at: KeyPath): void {
    const seen = new Map<string, string>();
    for (const [index, written] of members.entries()) {
      const place = [...at, String(index)];
      const found = this.#member(group, written);
      if (typeof found === "string") {
        this.#reject(at, place, found);
        continue;
      }
      const key = memberKey(found);
      const [text, first] = [literal(written), seen.get(key)];
      if (first !== undefined)
        this.#reject(at, place, `${text} is in the list twice${first === text ? "" : `: as ${first} too`}`);
      else this.grants.push({ group, role, member: found });
      seen.set(key, text);
    }
  }

  /** The identity that `written` means in `group`, or else the problem with it. */
  #member(group: KeyPath, written: unknown): Member | string {
    if (isEventual(written))
      return `an identity must be known now${isOutput}. Declare a RoleBinding for an identity whose uid is an output`;
    if (typeof written === "string" && hasPlatformForm(written) && isUid(written)) return { uid: written };
    if (typeof written === "string" && /^[^/]+$/.test(written)) return this.#named(group, written);
    const problems = problemsOf(referenceRules.identity, written);
    if (problems.length > 0) return `an identity ${problems.join("; ")}`;
    if (typeof written === "string") return this.#atPath(written);
    // A member by keys makes the binding wait for the identity, and keep its name when the login changes.
    const [keys, ...others] = (isLogin(written) && this.#byLogin.get(loginKey(written))) || [];
    if (keys === undefined) return { identity: written as IdentityRef };
    return others.length === 0 ? { keys } : this.#ambiguous(written, [keys, ...others]);
  }

  /** The identity of this name in `group` or around it. */
  #named(group: KeyPath, name: string): Member | string {
    const around = [...group.keys(), group.length].map((depth) => group.slice(0, depth));
    const found = around.map((each) => this.#byPath.get(this.#path([...each, name])));
    const [keys, ...others] = found.filter((each) => each !== undefined);
    if (keys !== undefined && others.length === 0) return { keys };
    // The nearest one does not win: a new identity must not take over the access of another.
    if (keys !== undefined) return this.#ambiguous(name, [keys, ...others]);
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

  /** The identity at a path, in this tree or elsewhere on the platform. */
  #atPath(path: string): Member | string {
    const keys = this.#byPath.get(path);
    if (keys !== undefined) return { keys };
    const place = parentOf(path);
    if (!this.#groups.has(place)) {
      const [after, meant] = [this.#declaredAt(path), `${this.component}/${path}`];
      if (after !== undefined || !this.#byPath.has(meant)) return { identity: path, after };
      return `the paths of the tree begin with ${literal(this.component)}; did you mean ${literal(meant)}? To bind another ${literal(path)}, write its uid`;
    }
    const near = nearestName(path, [...this.#byPath.keys()]);
    const hint =
      near === undefined
        ? ". To bind one that another program declares there, write its uid"
        : `; did you mean ${literal(near)}?`;
    return `${literal(place)} declares no identity ${literal(path.slice(place.length + 1))}${hint}`;
  }

  /** The identity of the tree that may be at `path`. The path begins with the root organisation; the top of the tree may be any group along it. */
  #declaredAt(path: string): KeyPath | undefined {
    const names = path.split("/");
    return names.map((_, above) => this.#byNames.get(names.slice(above + 1).join("/"))).find((keys) => keys !== undefined);
  }

  #ambiguous(written: unknown, all: readonly KeyPath[]): string {
    const paths = all.map((keys) => literal(this.#path(keys)));
    return `${literal(written)} may be ${alternatives(paths)}. Write the path of the one you mean`;
  }

  #path(keys: KeyPath): string {
    return pathOf(this.component, keys);
  }

  #reject(entry: KeyPath, at: KeyPath, reason: string): void {
    this.problems.push({ entry, at, reason });
  }
}

function isLogin(value: unknown): value is { issuer: string; subject: string } {
  return isObject(value) && typeof value["issuer"] === "string" && typeof value["subject"] === "string";
}

function loginKey({ issuer, subject }: { issuer: string; subject: string }): string {
  return JSON.stringify([issuer, subject]);
}

/** The end of a message about a value needed before anything is declared. */
const isOutput = ": it is an output, and the names of role bindings follow from it";

/** The problems of `value`, each with its member: `issuer must be an https URL`. */
function problemsOf(rule: z.ZodType, value: unknown): string[] {
  return rule.safeParse(value).error?.issues.map(({ path, message }) => [...path.map(String), message].join(" ")) ?? [];
}

/** The path of the group around `path`. */
function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}
