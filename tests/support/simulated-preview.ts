import { unknownValue } from "../../provider/schema/inputs";
import { type Declaration, declarable, type Entry, type Host, planOf, walk } from "./engine-simulator";

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
  const steps = new Map<string, object>();
  await walk(program, async (declaration, uidOf) => {
    const { op, old, inputs } = await planOf(declaration, state, host, uidOf);
    const newState = { ...resource(declaration), inputs, propertyDependencies: dependenciesOf(declaration, byName) };
    const oldState = old && oldStateOf(old);
    steps.set(declaration.name, { op, urn: urnOf(declaration), oldState, newState });
    return old === undefined || op === "replace" ? unknownValue : old.id;
  });
  const stack = { op: "same", urn: `${prefix}::pulumi:pulumi:Stack::s`, oldState: { urn: "", type: "pulumi:pulumi:Stack" } };
  const leaving = state.filter((entry) => entry.obsolete || !byName.has(entry.name));
  const deletes = leaving.map((entry) => ({ op: "delete", urn: urnOf(entry), oldState: oldStateOf(entry) }));
  return JSON.stringify({ steps: [stack, ...[...byName.keys()].map((name) => steps.get(name)), ...deletes] });
}

function oldStateOf({ id, inputs, outputs, ...entry }: Entry) {
  return { ...resource(entry), id, inputs, outputs };
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
