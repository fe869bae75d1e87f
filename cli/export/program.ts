import { isAtOrBelow, parentOf } from "../../provider/client/uid";
import { isBuiltIn } from "../../provider/kinds/role";
import { isInput, type Values } from "../../provider/kinds/canonical";
import type { Field, Fields } from "../../provider/kinds/field";
import { sameJson } from "../../provider/kinds/json-web-keys";
import { asDeclared, changedInputs, type Inputs, keyOf, type Kind, stateOf } from "../../provider/kinds/kind";
import { referencesOf, withKnownUids } from "../../provider/kinds/references";
import { check } from "../../provider/resources/check";
import { Declarations } from "../../provider/resources/checking/declarations";
import { kindNamed, listedKinds, kindNames } from "../../inventory/kinds";
import type { PlatformObject } from "../../inventory/objects";
import { awsHelper, claimHelper } from "./claim-helpers";
import { byAge, compare, logicalNames, type Naming } from "./names";
import { Claims, JsonText, plain, type Resource, SecretOf, UidOf, type Value } from "./values";

/** An object that the program does not declare. */
export interface Unmanaged {
  readonly object: PlatformObject;
  /** Why, as a sentence without a full stop. */
  readonly reason: string;
}

/** A program that declares objects as they are. */
export interface Program {
  /** Parents first, else by path. */
  readonly resources: readonly Resource[];
  readonly unmanaged: readonly Unmanaged[];
}

/** What {@link programOf} knows besides the objects. */
export interface Surroundings extends Naming {
  /** URN of the `GroupAccess` of a stack that would remove this role binding; undefined if none would. */
  readonly removerOf: (binding: PlatformObject) => string | undefined;
  /** The only group, identity or role of that name or path, as far as is known: what a reference by name would find. */
  readonly means: {
    /** Uid of the role that a name means in a group. */
    readonly role: (name: string, place: string) => string | undefined;
    /** Uid of the group or identity at a path. */
    readonly at: (path: string, to: "group" | "identity") => string | undefined;
    /** Issuer and subject by which a person is found. */
    readonly login: (uid: string) => { readonly issuer: string; readonly subject: string } | undefined;
  };
}

/** What the file for `pulumi import` holds of a resource. */
export interface ResourceState {
  readonly inputs: Inputs;
  readonly outputs: Inputs;
}

/** The program that declares `objects`. */
export function programOf(objects: readonly PlatformObject[], around: Surroundings): Program {
  const unmanaged: Unmanaged[] = [];
  const left = (object: PlatformObject, reason: string) => void unmanaged.push({ object, reason });
  const keys = new Set<string>();
  const candidates = [...objects].sort(byAge).filter((object) => {
    const reason = whyNot(object, around) ?? whyNotTwice(object, keys);
    if (reason !== undefined) left(object, reason);
    return reason === undefined;
  });
  const logical = logicalNames(candidates, around);
  const secrets = new Map<string, PlatformObject>();
  const declared = new Map(candidates.map((object) => [keyIn(object.kind, object.uid), object]));
  const resources = candidates
    .map((object): Resource => {
      const kind = kindNamed(object.kind);
      const logicalName = logical.get(object) ?? object.uid;
      return { object, kind, logicalName, args: new Arguments(object, kind, logicalName, declared, around, secrets).all };
    })
    .map((resource) => ({ resource, ...allowed(resource) }))
    .filter(({ resource, problem }) => {
      if (problem !== undefined) left(resource.object, problem);
      return problem === undefined;
    })
    .map(({ resource, args }) => ({ ...resource, args }));
  // What was declared with the uid of an object that could not be declared after all has to name it otherwise.
  const lost = new Set(unmanaged.map(({ object }) => object));
  const isLost = resources.some(({ args }) => usesAny(args, lost));
  if (isLost)
    return withUnmanaged(
      programOf(
        resources.map(({ object }) => object),
        around,
      ),
      unmanaged,
    );
  const nameIn = new Map(resources.map(({ object, logicalName }) => [keyIn(object.kind, object.uid), logicalName]));
  return { resources: resources.sort(inTree(around, nameIn)), unmanaged: unmanaged.sort(byPath) };
}

function withUnmanaged({ resources, unmanaged }: Program, before: readonly Unmanaged[]): Program {
  return { resources, unmanaged: [...before, ...unmanaged].sort(byPath) };
}

function usesAny(value: Value, targets: ReadonlySet<PlatformObject>): boolean {
  if (value instanceof UidOf) return targets.has(value.target);
  return typeof value === "object" && Object.values(value as object).some((inner) => usesAny(inner as Value, targets));
}

function byPath(one: Unmanaged, other: Unmanaged): number {
  const key = ({ object }: Unmanaged) => `${object.kind} ${object.path ?? ""} ${object.name ?? ""} ${object.uid}`;
  return compare(key(one), key(other));
}

/** The order of kinds in a group: each after those that it usually refers to. */
const order = [
  kindNames.group,
  kindNames.role,
  kindNames.identity,
  kindNames.roleBinding,
  kindNames.identityProvider,
  kindNames.accountAssociation,
  kindNames.subscription,
  kindNames.repo,
];

/** Kinds whose objects are in one of another kind, which comes right before them. */
const inOthers: Readonly<Record<string, string>> = {
  [kindNames.tag]: kindNames.repo,
  [kindNames.externalGroupRoleMapping]: kindNames.identityProvider,
};

/** Parents before what is in them, siblings by kind and name. */
function inTree({ pathOf }: Naming, logical: ReadonlyMap<string, string>): (one: Resource, other: Resource) => number {
  const keyOfResource = ({ object, logicalName }: Resource) => {
    const group = object.kind === kindNames.group ? object.uid : (object.place ?? "");
    const path = (pathOf(group) ?? group).replaceAll("/", "\0");
    const parentKind = inOthers[object.kind];
    const parent = parentKind === undefined ? undefined : logical.get(keyIn(parentKind, parentOf(object.uid) ?? ""));
    const kind = String(order.indexOf(parentKind ?? object.kind)).padStart(2, "0");
    return [path, "", kind, ...(parent === undefined ? [] : [parent]), logicalName].join("\0");
  };
  const keys = new Map<Resource, string>();
  const known = (resource: Resource) => {
    const key = keys.get(resource) ?? keyOfResource(resource);
    keys.set(resource, key);
    return key;
  };
  return (one, other) => compare(known(one), known(other));
}

/** Why a program cannot declare the object; undefined if it can. */
function whyNot(object: PlatformObject, { root, removerOf }: Surroundings): string | undefined {
  const { kind, uid, place, value } = object;
  if (!listedKinds.has(kind)) return "this release does not know its kind";
  const remover = kind === kindNames.roleBinding ? removerOf(object) : undefined;
  if (remover !== undefined)
    return `${remover} declares who has roles in this group and would remove it; declare or exempt it there`;
  if (kind === kindNames.group && parentOf(uid) === undefined)
    return "the root of the organisation, which exists before any program";
  if (kind === kindNames.role && isBuiltIn(uid)) return "built in, so that it can only be read";
  if (kind === kindNames.groupInvite)
    return "its code cannot be read again; issue a new one from the program, then delete this one";
  if (place === undefined) return "in no group, so no program can declare it";
  return isAtOrBelow(uid, root) || Object.keys(value).length === 0 ? undefined : `outside of ${root}`;
}

/** A program cannot declare two objects with one natural key: it could not say which is which. */
function whyNotTwice({ kind: name, value }: PlatformObject, keys: Set<string>): string | undefined {
  const key = keyOf(kindNamed(name), value);
  if (key === undefined || !keys.has(key)) {
    if (key !== undefined) keys.add(key);
    return undefined;
  }
  return "an older object has the same natural key; delete or rename one of the two, then export again";
}

function keyIn(kind: string, uid: string): string {
  return `${kind} ${uid}`;
}

/** Builds the arguments of one resource. */
class Arguments {
  readonly all: Record<string, Value>;

  constructor(
    private readonly object: PlatformObject,
    kind: Kind,
    private readonly logicalName: string,
    private readonly declared: ReadonlyMap<string, PlatformObject>,
    private readonly around: Surroundings,
    private readonly secrets: Map<string, PlatformObject>,
  ) {
    this.all = this.#members(kind.fields, object.value);
  }

  #members(fields: Fields, values: Values): Record<string, Value> {
    const references = referencesOf(fields);
    return Object.fromEntries(
      [...new Set([...Object.keys(fields), ...Object.keys(values)])].flatMap((name): [string, Value][] => {
        const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
        const value = values[name];
        if (field && isAbsent(field, values)) return [];
        if (field?.traits.secret && field.traits.writeOnly)
          return values["pkceEnabled"] === true ? [] : [[name, new SecretOf(this.#secretKey(name))]];
        if (value === undefined || value === null || !isInput(field) || field?.by === "reference") return [];
        if (field?.by === "named" && value === this.logicalName) return [];
        const reference = references.find(({ uid }) => uid === name);
        if (reference !== undefined && typeof value === "string") return [this.#named(name, reference, value)];
        return [[name, this.#value(field, value)]];
      }),
    );
  }

  /** A key of the configuration that no other secret has. */
  #secretKey(name: string): string {
    const words = `${this.logicalName} ${name.replaceAll(/[A-Z]/g, " $&")}`.toLowerCase().match(/[a-z0-9]+/g) ?? [];
    const key = words.join("-");
    const owner = this.secrets.get(key) ?? this.object;
    const free = owner === this.object ? key : `${key}-${this.object.uid.replaceAll("/", "-")}`;
    this.secrets.set(free, this.object);
    return free;
  }

  #value(field: Field | undefined, value: unknown): Value {
    const shape = field?.shape;
    if (typeof value === "string") {
      const noun = shape?.is === "uid" ? shape.of : field?.traits.resolvedTo !== undefined ? "repo" : undefined;
      const target = noun === undefined ? undefined : this.#target(noun, value);
      if (target !== undefined) return new UidOf(target);
      if (field?.traits.normalise === sameJson) return new JsonText(value);
      return value;
    }
    if (shape?.is === "message" && isValues(value)) {
      const members = this.#members(shape.members, value);
      const call = shape.name === "ClaimMatch" ? claimHelper(value) : shape.name === "AwsIdentity" ? awsHelper(value) : undefined;
      return call === undefined ? members : new Claims(call.helper, call.args, call.more as Record<string, Value>, members);
    }
    const inner =
      shape !== undefined && "of" in shape && shape.is !== "uid"
        ? ({ by: "required", shape: shape.of, traits: {} } as Field)
        : undefined;
    if (Array.isArray(value)) return value.map((item: unknown) => this.#value(inner, item));
    if (isValues(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.#value(inner, item)]));
    return value as Value;
  }

  /** A uid as the variable of its resource, else as the name by which people know it, else as it is. */
  #named(
    name: string,
    reference: { name: string; to: "role" | "group" | "identity"; place?: string },
    uid: string,
  ): [string, Value] {
    const target = this.#target(reference.to, uid);
    if (target !== undefined) return [name, new UidOf(target)];
    const place = (this.object.value[reference.place ?? ""] as string | undefined) ?? this.object.place ?? "";
    const written = this.#written(reference.to, uid, place);
    return written === undefined ? [name, uid] : [reference.name, written];
  }

  #written(to: "role" | "group" | "identity", uid: string, place: string): Value | undefined {
    const { pathOf, roleName, means } = this.around;
    if (to === "role") {
      const name = roleName(uid);
      return name !== undefined && means.role(name, place) === uid ? name : undefined;
    }
    // An identity that is in no group is a person, known by a login.
    if (to === "identity" && parentOf(uid) === undefined) return means.login(uid);
    const path = pathOf(uid);
    return path !== undefined && means.at(path, to) === uid ? path : undefined;
  }

  #target(noun: string, uid: string): PlatformObject | undefined {
    const kind = [...listedKinds].find(([, { collection }]) => collection.noun === noun)?.[0];
    const target = kind === undefined ? undefined : this.declared.get(keyIn(kind, uid));
    return target === this.object ? undefined : target;
  }
}

/** True for what the platform sets while the program leaves it out: the source of a repo, the digest of a tag that pushes move. */
function isAbsent({ by, traits }: Field, values: Values): boolean {
  if (by === "check" || by === "local" || by === "output" || by === "detail") return true;
  return traits.volatile === true || (traits.filledWhile !== undefined && values[traits.filledWhile] !== undefined);
}

function isValues(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The arguments with the consents that the object needs, and why it still cannot be declared. */
function allowed({ object, kind, logicalName, args }: Resource): { args: Resource["args"]; problem?: string } {
  const problemsWith = (all: Resource["args"]) => problemsOf({ object, kind, logicalName, args: all });
  const consents = Object.entries(kind.fields).flatMap(([name, { by, shape }]) =>
    by === "check" && shape.is === "flag" ? [name] : [],
  );
  let given = args;
  let problems = problemsWith(given);
  for (const name of consents) {
    if (problems.length === 0) break;
    const more = { ...given, [name]: true };
    const fewer = problemsWith(more);
    if (fewer.length < problems.length) [given, problems] = [more, fewer];
  }
  return problems.length === 0 ? { args: given } : { args: given, problem: problems.join("; ") };
}

/** What a check of the imported resource would reject, and what the next preview would show as a difference. */
function problemsOf(resource: Resource): string[] {
  const { kind } = resource;
  const { inputs, outputs } = stateOfResource(resource);
  const { failures } = check(kind, plainArgs(resource), { declarations: new Declarations(), organization: undefined }, inputs);
  if (failures.length > 0) return failures.map(({ reason }) => reason);
  const changed = changedInputs(kind, outputs, withKnownUids(kind.fields, outputs, inputs));
  return changed.length === 0 ? [] : [`a program cannot declare ${changed.join(", ")} as the platform has it`];
}

function plainArgs({ kind, logicalName, args }: Resource): Inputs {
  const all = Object.fromEntries(Object.entries(args).map(([name, value]) => [name, plain(value)]));
  return kind.fields["name"]?.by === "named" ? { name: logicalName, ...all } : all;
}

/** What the state has of the resource when it is taken over. */
export function stateOfResource(resource: Resource): ResourceState {
  const { object, kind } = resource;
  const given = plainArgs(resource);
  const run = { declarations: new Declarations(), organization: undefined };
  const { inputs } = check(kind, given, run, given);
  const references = referencesOf(kind.fields).flatMap(({ name, uid }): [string, unknown][] =>
    inputs[name] === undefined
      ? []
      : [
          [name, inputs[name]],
          [uid, object.value[uid]],
        ],
  );
  const known = { ...inputs, ...Object.fromEntries(references) };
  return { inputs: asDeclared(kind, inputs), outputs: stateOf(kind, object.row, known) };
}
