import { Arguments } from "../export/arguments";
import type { Program } from "../export/program";
import { withConsents } from "../export/resource-state";
import { type Surroundings, uidsOnly } from "../export/surroundings";
import { inTreeOrder } from "../export/tree-order";
import { type Resource, secretsIn, type Value } from "../export/values";
import { objectKey, type PlatformObject } from "../../inventory/objects";
import type { Converted } from "./conversion";
import { logicalNames } from "./import-file";

/** A state says nothing about other objects, so a program refers to them by uid, and protects none. */
const around: Surroundings = {
  root: "",
  pathOf: () => undefined,
  roleName: () => undefined,
  managed: [],
  removerOf: () => undefined,
  isProtected: () => false,
  whyNotWritten: () => undefined,
  means: uidsOnly,
};

/** The program that declares the converted objects under the names of the file for `pulumi import`. */
export function terraformProgram(converted: readonly Converted[]): Program {
  const objects = converted.map(objectOf);
  const declared = new Map(objects.map((object) => [objectKey(object), object]));
  const names = logicalNames(converted);
  const secrets = new Map<string, PlatformObject>();
  const resources = converted.flatMap(({ kind, inputs }, index): Resource[] => {
    const [object, logicalName] = [objects[index], names[index]];
    if (object === undefined || logicalName === undefined) return [];
    const args = new Arguments(object, kind, logicalName, declared, around, secrets).all;
    // Settings of this provider alone, such as the lifetime of an invite, are part of the file as well.
    const local = Object.entries(inputs).filter(([name]) => kind.fields[name]?.by === "local") as [string, Value][];
    const all = withConsents({ kind, logicalName, args: { ...args, ...Object.fromEntries(local) } });
    return [{ object, kind, logicalName, args: all, isProtected: false }];
  });
  const inOrder = inTreeOrder(resources, around);
  return { resources: inOrder, unmanaged: [], secrets: inOrder.flatMap(({ args }) => secretsIn(args)) };
}

function objectOf({ kind, id, inputs }: Converted): PlatformObject {
  const { name } = inputs;
  return {
    kind: `${kind.collection.area}:${kind.name}`,
    uid: id,
    place: String(inputs[kind.parentInput]),
    value: inputs,
    ...(typeof name === "string" && { name }),
    row: { uid: id },
  };
}
