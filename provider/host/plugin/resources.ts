import { membersOf, type Path } from "../../schema/values";
import { secretPaths } from "../../schema/hidden-values";
import { type Field, type Fields, own } from "../../schema/field";
import { unknownValue } from "../../schema/inputs";
import { declaredInputs, differences, type Inputs, type Kind, type ResourceKind } from "../../schema/kind";
import { composites, kinds, values } from "../../kinds/kinds";
import { changedReferences, driftedReferences, givenFor, isGiven, withKnownUids } from "../../schema/references";
import { groupAccessLife } from "../../resources/group-access/life";
import { type Life, lifeOf } from "../../resources/object/life";
import { registryCredentialsLife } from "../../resources/registry-credentials/life";
import type { ChangedUid } from "./changed-uids";

/** The differences between state and program. */
export interface InputChange {
  /** Paths of the differences, as names of inputs in the program and of members of messages. */
  readonly paths: readonly Path[];
  readonly before: Inputs;
  readonly after: Inputs;
  /** The uids that differ. */
  readonly uids: readonly ChangedUid[];
}

/** A type of resources, with the additional data for the engine's protocol. */
export interface Served {
  readonly life: Life;
  /** Paths of values that the state encrypts. */
  readonly secrets: readonly Path[];
  /** Whether the logical name stands in for a missing `name`. */
  readonly isNamed: boolean;
  /** The outputs of a create that a preview knows. */
  readonly created: (inputs: Inputs) => Inputs;
  /** The outputs of an update that a preview knows. */
  readonly updated: (olds: Inputs, news: Inputs) => Inputs;
  readonly change: (olds: Inputs, news: Inputs) => InputChange;
}

/** Every type of resources by its token: `platform:iam:Group`. */
export function servedResources(): ReadonlyMap<string, Served> {
  const objects = Object.values<Kind>(kinds).map((kind): [string, Served] => [typeToken(kind), served(kind, lifeOf(kind))]);
  const access = served(composites.groupAccess, groupAccessLife);
  const credentials = served(values.registryCredentials, registryCredentialsLife);
  return new Map([
    ...objects,
    [typeToken(composites.groupAccess), access],
    // A user name that the program no longer sets is not kept.
    [typeToken(values.registryCredentials), { ...credentials, updated: (_olds, news) => credentials.created(news) }],
  ]);
}

let all: ReadonlyMap<string, Served> | undefined;

/** Paths of values of the type that the state encrypts. Empty for a type unknown to this provider. */
export function secretsOf(type: string): Served["secrets"] {
  return (all ??= servedResources()).get(type)?.secrets ?? [];
}

/** The token of the type of `kind`: `platform:iam:Group`. */
export function typeToken({ name, collection }: Pick<ResourceKind, "name" | "collection">): string {
  return `platform:${collection.area}:${name}`;
}

function served(kind: ResourceKind, life: Life): Served {
  const fields = Object.entries(kind.fields);
  const namesOf = (which: (field: Field, name: string) => boolean) =>
    fields.filter(([name, field]) => which(field, name)).map(([name]) => name);
  const outputs = namesOf(({ by }) => by === "output");
  return {
    life,
    secrets: secretPaths(kind.fields),
    isNamed: fields.some(([, { by }]) => by === "named"),
    created: (inputs) => ({ ...unknown(outputs), ...withFilled(kind.fields, inputs) }),
    // All other values that the platform sets may depend on the change (docs/contributing/engine.md#outputs-in-previews).
    updated: (olds, news) => {
      const { createTime } = olds;
      const stays = createTime === undefined ? {} : { createTime };
      return { ...unknown(outputs), ...stays, ...withFilled(kind.fields, news, olds) };
    },
    change(olds, news) {
      const declared = withKnownUids(kind.fields, olds, news);
      const references = changedReferences(kind.fields, olds, declared).map((name) => [name]);
      const paths = [...differences(kind, olds, declared).map(({ path }) => path), ...references];
      const drifted = driftedReferences(kind.fields, olds, news);
      return {
        // A uid that is not known yet is shown as the name that stands for it.
        paths: paths.map(([name = "", ...rest]) => [isGiven(news[name]) ? name : nameFor(kind, name, news), ...rest]),
        before: declaredInputs(kind, olds),
        after: declaredInputs(kind, news),
        uids: paths.flatMap(([uid = ""]) => {
          if (own(kind.fields, uid)?.shape.is !== "uid") return [];
          const output = namedBy(kind.fields, uid);
          const reference = drifted.find((each) => each.uid === uid)?.name;
          return [{ uid, ...(output !== undefined && { output }), ...(reference !== undefined && { reference }) }];
        }),
      };
    },
  };
}

/** The reference that `news` have in place of the field `uid`, if they have one. */
function nameFor({ fields }: ResourceKind, uid: string, news: Inputs): string {
  return givenFor(fields, uid, news)?.name ?? uid;
}

/** The output that shows the name of the object whose uid is in the field `uid`: `role` for `roleUid`. */
function namedBy(fields: Fields, uid: string): string | undefined {
  const name = uid.replace(/Uid$/, "");
  const field = own(fields, name);
  return field?.by === "output" && field.shape.is === "message" && "name" in field.shape.members ? name : undefined;
}

/** `given` with the values that the platform fills in, also inside messages. They come from the state `olds`, or are unknown. */
function withFilled(fields: Fields, given: Inputs, olds: unknown = {}): Inputs {
  const before = membersOf(olds);
  const members = Object.entries(fields).flatMap(([name, { by, shape }]): [string, unknown][] => {
    const value = given[name] ?? undefined;
    if (value === undefined) return by === "filled" ? [[name, before[name] ?? unknownValue]] : [];
    const isWhole = shape.is !== "message" || typeof value !== "object";
    return isWhole ? [] : [[name, withFilled(shape.members, value as Inputs, before[name])]];
  });
  return { ...given, ...Object.fromEntries(members) };
}

function unknown(names: readonly string[]): Inputs {
  return Object.fromEntries(names.map((name) => [name, unknownValue]));
}
