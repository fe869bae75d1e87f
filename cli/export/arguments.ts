import { listedKinds } from "../../inventory/kinds";
import { objectKey, type PlatformObject } from "../../inventory/objects";
import { parentOf } from "../../provider/client/uid";
import { type Field, type Fields, isInput, type ReferenceShape } from "../../provider/schema/field";
import { isValues, type Values } from "../../provider/schema/values";
import { isAnalysedJson, sameJson } from "../../provider/schema/json-web-keys";
import type { Kind } from "../../provider/schema/kind";
import { type DeclaredReference, referencesOf } from "../../provider/schema/references";
import { awsHelper, claimHelper } from "./claim-helpers";
import type { Surroundings } from "./surroundings";
import { Claims, JsonText, SecretOf, UidOf, type Value } from "./values";

/** Builds the arguments of one resource. */
export class Arguments {
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

  /** A configuration key that no other secret uses. */
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
      if (field?.traits.normalise === sameJson && isAnalysedJson(value)) return new JsonText(value);
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

  /** A uid as the variable of its resource. Without one, it is the name for people, or otherwise the uid itself. */
  #named(name: string, reference: DeclaredReference, uid: string): [string, Value] {
    const target = this.#target(reference.to, uid);
    if (target !== undefined) return [name, new UidOf(target)];
    const place = (this.object.value[reference.place ?? ""] as string | undefined) ?? this.object.place ?? "";
    const written = this.#written(reference.to, uid, place);
    return written === undefined ? [name, uid] : [reference.name, written];
  }

  #written(to: ReferenceShape["to"], uid: string, place: string): Value | undefined {
    const { pathOf, roleName, means } = this.around;
    if (to === "role") {
      const name = roleName(uid);
      return name !== undefined && means.role(name, place) === uid ? name : undefined;
    }
    // An identity in no group is a person, who is found by a login.
    if (to === "identity" && parentOf(uid) === undefined) return means.login(uid);
    const path = pathOf(uid);
    return path !== undefined && means.at(path, to) === uid ? path : undefined;
  }

  #target(noun: string, uid: string): PlatformObject | undefined {
    const kind = [...listedKinds].find(([, { collection }]) => collection.noun === noun)?.[0];
    const target = kind === undefined ? undefined : this.declared.get(objectKey({ kind, uid }));
    return target === this.object ? undefined : target;
  }
}

/**
 * True for a value that the platform sets if the program omits it, such as the source of a repo, or the digest of a tag that pushes move.
 */
function isAbsent({ by, traits }: Field, values: Values): boolean {
  if (by === "check" || by === "local" || by === "output" || by === "detail") return true;
  return traits.volatile === true || (traits.filledWhile !== undefined && values[traits.filledWhile] !== undefined);
}
