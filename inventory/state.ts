import { z } from "zod";
import { messageOf, PlatformError } from "../provider/client/errors";
import { rememberSecret } from "../provider/client/redact";
import { type Path, present } from "../provider/schema/values";
import { secretMark, signature } from "../provider/host/engine-marks";
import { declaredInputs, type Inputs, type Kind } from "../provider/schema/kind";
import { roleUidsIn } from "../provider/kinds/group-access";
import { roleBinding } from "../provider/kinds/role-binding";
import { meantUids } from "../provider/schema/references";
import { type Bound, bindingInputs, bindingsIn, boundIn, leftMembers } from "../provider/resources/group-access/members";
import { ManagedScope } from "../provider/resources/group-access/scope";
import { groupOf, kindOfType, listedKinds, kindNames, withoutObject } from "./kinds";
import type { DeclaredObject, InventoryObject } from "./objects";

/** The objects of the platform in states. */
export interface StateObjects {
  /** Objects managed by a resource. The members of a `GroupAccess` are role bindings. */
  readonly managed: readonly DeclaredObject[];
  /** Objects that a program reads with `X.get`, and does not manage. */
  readonly referred: readonly DeclaredObject[];
  /** Role bindings that the program of a `GroupAccess` no longer declares after a failed update. Maps their uid to its URN. */
  readonly left: ReadonlyMap<string, string>;
  /** URN of the `GroupAccess` that would remove an undeclared role binding; undefined if none would. */
  readonly removerOf: (binding: Pick<InventoryObject, "uid" | "place" | "value">) => string | undefined;
  /**
   * URNs of resources with `deletedWith`, each with the URN that it names. When the named resource is deleted, the engine drops this one
   * from the state without a delete.
   */
  readonly deletedWith: ReadonlyMap<string, string>;
  /** Types of the platform that this release does not know, with the number of their resources. */
  readonly unknownTypes: ReadonlyMap<string, number>;
}

const resourceSchema = z.looseObject({
  urn: z.string(),
  type: z.string(),
  id: z.string().optional(),
  custom: z.boolean().optional(),
  external: z.boolean().optional(),
  delete: z.boolean().optional(),
  deletedWith: z.string().optional(),
  inputs: z.record(z.string(), z.unknown()).optional(),
  outputs: z.record(z.string(), z.unknown()).optional(),
});

/** A resource and the time when its state was written. */
type Resource = z.output<typeof resourceSchema> & { readonly written?: string };

const deployment = z.looseObject({
  manifest: z.looseObject({ time: z.string().optional() }).nullish(),
  resources: z.array(resourceSchema).nullish(),
});

/** The output of `pulumi stack export`, or the file of a backend with the same content. */
const stateSchema = z.union([
  z.looseObject({ deployment }).transform((state) => state.deployment),
  z.looseObject({ checkpoint: z.looseObject({ latest: deployment }) }).transform((state) => state.checkpoint.latest),
]);

/**
 * Reads the objects of the platform from states.
 *
 * @param states the text of each, by the name of the stack or file in errors
 * @throws PlatformError `INVALID_INPUT` for a text that is not a state
 */
export function readStates(states: ReadonlyMap<string, string>): StateObjects {
  const managed: DeclaredObject[] = [];
  const referred: DeclaredObject[] = [];
  const left = new Map<string, string>();
  const accesses: { urn: string; place: string | undefined; scope: ManagedScope }[] = [];
  const unknownTypes = new Map<string, number>();
  const deletedWith = new Map<string, string>();
  for (const [source, text] of states) {
    for (const resource of resourcesIn(text, source)) {
      const kindName = kindOfType(resource.type);
      if (kindName === undefined || withoutObject.has(kindName) || resource.custom === false) continue;
      if (resource.deletedWith) deletedWith.set(resource.urn, resource.deletedWith);
      if (kindName === kindNames.groupAccess) {
        // A program that reads the access of a group does not say what it should be.
        if (resource.external === true) continue;
        const access = accessIn(resource);
        managed.push(...access.members);
        for (const { binding } of access.left) left.set(binding, resource.urn);
        if (resource.delete !== true) accesses.push({ urn: resource.urn, place: access.place, scope: access.scope });
        continue;
      }
      const kind = listedKinds.get(kindName);
      if (kind === undefined) unknownTypes.set(resource.type, (unknownTypes.get(resource.type) ?? 0) + 1);
      else (resource.external === true ? referred : managed).push(objectOf(kindName, kind, resource));
    }
  }
  const removerOf: StateObjects["removerOf"] = ({ uid, place, value }) => {
    const binding = { binding: uid, identityUid: String(value["identityUid"]), roleUid: String(value["roleUid"]) };
    return accesses.find((access) => access.place === place && access.scope.covers(binding))?.urn;
  };
  return { managed, referred, left, removerOf, deletedWith, unknownTypes };
}

const remedy = "Write one with `pulumi stack export --stack STACK --file FILE`.";

function resourcesIn(text: string, source: string): Resource[] {
  const state = stateSchema.safeParse(json(text, source));
  if (state.success) {
    const { manifest, resources } = state.data;
    return (resources ?? []).map((resource) => ({ ...resource, ...(manifest?.time && { written: manifest.time }) }));
  }
  throw new PlatformError("INVALID_INPUT", `${source} is not a state. ${remedy}`);
}

function json(text: string, source: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new PlatformError("INVALID_INPUT", `${source} is not JSON: ${messageOf(error)}. ${remedy}`);
  }
}

function objectOf(kindName: string, kind: Kind, resource: Resource): DeclaredObject {
  const outputs = opened(resource.outputs ?? {});
  // A resource that is only read has no inputs of a program, so its outputs show its last known value.
  const inputs = resource.external === true ? outputs : opened(resource.inputs ?? {});
  const value = declaredInputs(kind, meantUids(kind.fields, outputs.values, inputs.values));
  const uid = resource.id === "" ? undefined : resource.id;
  return {
    kind: kindName,
    uid,
    place: uid === undefined ? undefined : groupOf(kind, uid),
    value,
    urn: resource.urn,
    stack: stackOf(resource.urn),
    ...(resource.written !== undefined && { written: resource.written }),
    inputs: inputs.values,
    outputs: outputs.values,
    secretPaths: [...inputs.secret, ...inputs.encrypted],
    encryptedPaths: inputs.encrypted,
    ...(resource.delete === true && { pending: "replaced" }),
  };
}

/** The content of a `GroupAccess` in a state. */
interface Access {
  /** Uid of its group. */
  readonly place: string | undefined;
  /** The members that its program declares, as role bindings. */
  readonly members: readonly DeclaredObject[];
  /** The bindings that its program no longer declares after a failed update. */
  readonly left: readonly Bound[];
  /** The undeclared bindings that it would remove. */
  readonly scope: ManagedScope;
}

function accessIn(resource: Resource): Access {
  const { values, encrypted, secret } = opened(resource.outputs ?? {});
  const inputs = opened(resource.inputs ?? {});
  const place = typeof values["parentUid"] === "string" ? values["parentUid"] : resource.id;
  const bound = boundIn(values);
  const isHidden = (paths: readonly Path[]) => paths.some(([field]) => field === "access");
  const isLabelSecret = isHidden([...secret, ...inputs.secret]);
  const left = isHidden(inputs.encrypted) ? [] : leftMembers(inputs.values, values);
  const undeclared = new Set(left.map(({ binding }) => binding));
  const shown = new Set(bound.map(({ binding }) => binding));
  // If members are secret, their bindings are known without the identities.
  const hidden = isHidden(encrypted) ? bindingsIn(values).filter(({ binding }) => !shown.has(binding)) : [];
  const members = [
    ...bound
      .filter(({ binding }) => !undeclared.has(binding))
      .map((member) => ({
        ...memberOf(resource, member.binding, bindingInputs(place ?? "", member), []),
        ...(!isLabelSecret && { label: member.label }),
        ...(member.login !== undefined && { outputs: { login: member.login } }),
      })),
    ...hidden.map(({ binding, roleUid }) => memberOf(resource, binding, { parentUid: place ?? "", roleUid }, [["identityUid"]])),
  ];
  return { place, members, left, scope: new ManagedScope(values, roleUidsIn(values)) };
}

function memberOf(resource: Resource, uid: string, inputs: Inputs, encryptedPaths: readonly Path[]): DeclaredObject {
  return {
    kind: kindNames.roleBinding,
    uid,
    place: groupOf(roleBinding, uid),
    value: inputs,
    urn: resource.urn,
    stack: stackOf(resource.urn),
    ...(resource.written !== undefined && { written: resource.written }),
    inputs,
    outputs: {},
    secretPaths: encryptedPaths,
    encryptedPaths,
    ...(resource.delete === true && { pending: "replaced" }),
  };
}

/** `project/stack` of a URN: `urn:pulumi:<stack>::<project>::<type>::<name>`. */
function stackOf(urn: string): string {
  const [head = "", project = ""] = urn.split("::");
  return `${project}/${head.replace(/^urn:pulumi:/, "")}`;
}

/** Values without the engine's marks, and the paths of secrets. */
interface Opened {
  readonly values: Inputs;
  /** Paths of secrets with known values. */
  readonly secret: readonly Path[];
  /** Paths of encrypted secrets, which are left out. */
  readonly encrypted: readonly Path[];
}

/** `values` without marks. Known secrets are redacted in all later messages. */
function opened(values: Inputs): Opened {
  const secret: Path[] = [];
  const encrypted: Path[] = [];
  const open = (value: unknown, path: Path): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return openList(value, path);
    const members = value as Readonly<Record<string, unknown>>;
    if (members[signature] === secretMark) return openSecret(members["plaintext"], path);
    return present(Object.entries(members).map(([name, member]) => [name, open(member, [...path, name])]));
  };
  const openList = (items: readonly unknown[], path: Path): unknown => {
    const before = encrypted.length;
    const all = items.map((item, index) => open(item, [...path, String(index)]));
    if (encrypted.length === before) return all;
    // A list without one of its items cannot be compared either.
    encrypted.splice(before, Infinity, path);
    return undefined;
  };
  const openSecret = (plaintext: unknown, path: Path): unknown => {
    if (typeof plaintext !== "string") {
      encrypted.push(path);
      return undefined;
    }
    const value = JSON.parse(plaintext) as unknown;
    if (typeof value === "string") rememberSecret(value);
    secret.push(path);
    return open(value, path);
  };
  return { values: open(values, []) as Inputs, secret, encrypted };
}
