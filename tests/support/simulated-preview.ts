import { unknownValue } from "../../provider/kinds/inputs";
import type { Inputs } from "../../provider/kinds/kind";
import { type Declaration, declarable, type Entry, type Host, providerText } from "./engine-simulator";

const prefix = "urn:pulumi:simulated::test";

/** The URN of a resource of the simulator. */
function urnOf({ kind, name }: Pick<Entry, "kind" | "name">): string {
  return `${prefix}::${typeOf(kind)}::${name}`;
}

/**
 * The document that `pulumi preview --json --show-sames` prints for `program` over `state`: checks and diffs are those of the providers,
 * and uids of what is made or replaced are unknown.
 */
export async function simulatedPreview(state: readonly Entry[], program: readonly Declaration[], host: Host): Promise<string> {
  const byName = new Map(program.map((declaration) => [declaration.name, declaration]));
  const steps: object[] = [
    { op: "same", urn: `${prefix}::pulumi:pulumi:Stack::s`, oldState: { urn: "", type: "pulumi:pulumi:Stack" } },
  ];
  const registered = new Map<string, Promise<string>>();
  const register = (name: string): Promise<string> => {
    const known = registered.get(name) ?? step(byName.get(name));
    registered.set(name, known);
    return known;
  };
  /** @returns the uid of the resource, as far as the preview knows it */
  const step = async (declaration: Declaration | undefined): Promise<string> => {
    if (declaration === undefined) throw new Error("the program lacks a resource");
    const { kind, name, dependsOn } = declaration;
    const uids = new Map<string, string>();
    for (const other of dependsOn) uids.set(other, await register(other));
    const news = stored(declaration.inputs((other) => uids.get(other) ?? ""));
    const old = state.find((entry) => entry.name === name && !entry.obsolete);
    const check = async (olds: Inputs) => {
      const { inputs, failures } = await host[kind].check(olds, news);
      if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("; "));
      return stored(inputs);
    };
    const inputs = await check(old?.inputs ?? {});
    const newState = (shown: Inputs) => ({
      ...resource(declaration),
      inputs: shown,
      propertyDependencies: dependenciesOf(declaration, byName),
    });
    if (old === undefined) {
      steps.push({ op: "create", urn: urnOf(declaration), newState: newState(inputs) });
      return unknownValue;
    }
    const oldState = { ...resource(old), id: old.id, inputs: old.inputs, outputs: old.outputs };
    const { changes, replaces } = await host[kind].diff(old.id, old.outputs, inputs);
    if (replaces.length > 0) {
      steps.push({ op: "replace", urn: urnOf(old), oldState, newState: newState(await check({})) });
      return unknownValue;
    }
    steps.push({ op: changes || old.isHalfMade ? "update" : "same", urn: urnOf(old), oldState, newState: newState(inputs) });
    return old.id;
  };
  for (const name of byName.keys()) await register(name);
  for (const entry of state)
    if (entry.obsolete || !byName.has(entry.name))
      steps.push({
        op: "delete",
        urn: urnOf(entry),
        oldState: { ...resource(entry), id: entry.id, inputs: entry.inputs, outputs: entry.outputs },
      });
  return JSON.stringify({ steps });
}

function resource({ kind, name }: Pick<Entry, "kind" | "name">) {
  return { urn: urnOf({ kind, name }), type: typeOf(kind), custom: true };
}

function typeOf(kind: Entry["kind"]): string {
  const { name, collection } = declarable[kind];
  return `pulumi-nodejs:dynamic/platform/${collection.area}:${name}`;
}

/** The URNs that each input depends on. */
function dependenciesOf(declaration: Declaration, program: ReadonlyMap<string, Declaration>): Record<string, string[]> {
  const mark = (name: string) => `(uid of ${name})`;
  return Object.fromEntries(
    Object.entries(declaration.inputs(mark)).map(([input, value]) => {
      const text = JSON.stringify(value);
      const used = declaration.dependsOn.filter((name) => text.includes(mark(name)));
      return [input, used.flatMap((name) => program.get(name) ?? []).map(urnOf)];
    }),
  );
}

function stored(properties: Inputs): Inputs {
  return { ...properties, __provider: providerText };
}
