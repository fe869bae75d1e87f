import { literal } from "../../provider/client/printable";
import { suggest } from "../../provider/client/nearest-name";
import { group } from "../../provider/kinds/group";
import { identity } from "../../provider/kinds/identity";
import { groupKey, unknownValue } from "../../provider/schema/inputs";
import type { Inputs, Kind } from "../../provider/schema/kind";
import { checkAlone } from "../../provider/resources/object/check";
import { endlessPath } from "../program/endless";
import { isEventual, isObject } from "../program/arguments";
import { readAccess, type WrittenAccess } from "./access";
import type { KeyPath, Placed, Plan, TreeProblem } from "./plan";

/** The members of a group that hold its contents. */
const contents = ["identities", "access", "groups"];

/**
 * The plan of the tree `root`, and all its problems. The rules of groups and identities come from their declarations.
 *
 * @param component name of the component: the first segment of every path
 * @param root the contents of the group at the top
 */
export function readTree(component: string, root: unknown): { plan: Plan; problems: TreeProblem[] } {
  const reader = new TreeReader();
  const endless = endlessPath(root);
  if (endless !== undefined) {
    const problem = { entry: endless, at: endless, reason: "contains itself" };
    return { plan: { groups: [], identities: [], grants: [] }, problems: [problem] };
  }
  reader.contents(root, [], []);
  const { grants, problems } = readAccess(component, reader);
  return { plan: { groups: reader.groups, identities: reader.identities, grants }, problems: [...reader.problems, ...problems] };
}

class TreeReader {
  readonly groups: Placed[] = [];
  readonly identities: Placed[] = [];
  readonly access: WrittenAccess[] = [];
  readonly problems: TreeProblem[] = [];

  /** Reads the contents of the group with `keys`. @param at the place of the contents */
  contents(value: unknown, keys: KeyPath, at: KeyPath): void {
    if (keys.length === 0) {
      if (!isObject(value)) {
        this.#reject(at, at, `must be an object: { ${contents.join(", ")} }`);
        return;
      }
      this.#rejectUnknown(value, at, contents, "the top level");
    }
    const members = value as Inputs;
    this.#each(members["identities"], [...at, "identities"], (key, entry, place) => {
      const args = this.#entry(identity, [], key, entry, place);
      this.identities.push({ keys: [...keys, key], args });
    });
    if (members["access"] !== undefined) this.access.push({ keys, at: [...at, "access"], roles: members["access"] });
    this.#each(members["groups"], [...at, "groups"], (key, entry, place) => {
      const args = this.#entry(group, contents, key, entry ?? {}, place);
      this.groups.push({ keys: [...keys, key], args });
      if (isObject(entry)) this.contents(entry, [...keys, key], place);
    });
  }

  /** Calls `read` for each entry of a map. An empty map of a file is null. */
  #each(value: unknown, at: KeyPath, read: (key: string, entry: unknown, at: KeyPath) => void): void {
    if (value === undefined || value === null) return;
    if (!isObject(value)) {
      this.#reject(at, at, isEventual(value) ? isOutput : "must be an object with a key for each");
      return;
    }
    const names = new Map<unknown, string>();
    for (const [key, entry] of Object.entries(value)) {
      read(key, entry, [...at, key]);
      const name = (isObject(entry) ? entry["name"] : undefined) ?? key;
      const first = names.get(name);
      if (first === undefined) names.set(name, key);
      else
        this.#reject(
          [...at, key],
          [...at, key, "name"],
          `has the name ${literal(name)}, and so has ${literal(first)} in the same place`,
        );
    }
  }

  /** The arguments of the entry `key`, checked by the rules of `kind`. @param more other members that the entry may have */
  #entry(kind: Kind, more: readonly string[], key: string, entry: unknown, at: KeyPath): Inputs {
    const isKey = groupKey.safeParse(key);
    if (!isKey.success) for (const { message } of isKey.error.issues) this.#reject(at, at, `the key ${message}`);
    if (!isObject(entry)) {
      this.#reject(at, at, isEventual(entry) ? isOutput : "must be an object");
      return {};
    }
    const takes = argumentsOf(kind);
    this.#rejectUnknown(entry, at, [...takes, ...more], kind.collection.noun);
    const args = Object.fromEntries(takes.flatMap((name) => (entry[name] === undefined ? [] : [[name, entry[name]]])));
    // An invalid key is one problem, not two.
    const name = args["name"] ?? (isKey.success ? key : unknownValue);
    const inputs = { ...(plain(args) as Inputs), name: plain(name), [kind.parentInput]: unknownValue };
    const { failures } = checkAlone(kind, {}, inputs);
    for (const { property, reason } of failures) this.#reject(at, [...at, ...property.split(".")], reason);
    return { ...args, name };
  }

  #rejectUnknown(entry: object, at: KeyPath, takes: readonly string[], noun: string): void {
    for (const name of Object.keys(entry).filter((each) => !takes.includes(each))) {
      this.#reject(at, [...at, name], `${literal(name)} is not a key of ${noun}; ${suggest(name, takes, "keys")}`);
    }
  }

  #reject(entry: KeyPath, at: KeyPath, reason: string): void {
    this.problems.push({ entry, at, reason });
  }
}

const isOutput = "is an output: its keys must be known now, because the names of resources follow from them";

/** The arguments of an entry, which are those of the kind without its parent. The place in the tree decides the parent. */
export function argumentsOf({ inputs, exactlyOne, parentInput }: Kind): string[] {
  const parents = [parentInput, ...(exactlyOne.find((names) => names.includes(parentInput)) ?? [])];
  return [...Object.keys(inputs.shape).filter((name) => !parents.includes(name)), "adopt"];
}

/** `value` as the provider's check receives it: an output becomes an unknown value. */
function plain(value: unknown): unknown {
  if (isEventual(value)) return unknownValue;
  // Functions and symbols cannot be sent, and no rule accepts NaN.
  if (typeof value === "function" || typeof value === "symbol") return NaN;
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}
