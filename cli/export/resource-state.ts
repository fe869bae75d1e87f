import { openLogins } from "../../provider/schema/login-limits";
import { changedInputs, type Inputs, stateOf } from "../../provider/schema/kind";
import { referencesOf, withKnownUids } from "../../provider/schema/references";
import { checkAlone } from "../../provider/resources/object/check";
import { plain, type Resource } from "./values";

/** The entry of a resource in the file for `pulumi import`. */
export interface ResourceState {
  readonly inputs: Inputs;
  readonly outputs: Inputs;
}

/** A resource without the options of the engine. */
type Declared = Omit<Resource, "isProtected">;

/** The arguments with the consents that their logins need. */
export function withConsents(declared: Omit<Declared, "object">): Resource["args"] {
  // For an imported object, a check only warns about missing consents.
  const needed = openLogins(plainArgs(declared)).map(({ consent }) => consent);
  const consents = needed.flatMap((name) => (name !== undefined && name in declared.kind.fields ? [[name, true] as const] : []));
  return { ...declared.args, ...Object.fromEntries(consents) };
}

/** The arguments with the consents that the object needs, and the remaining reasons why it cannot be declared. */
export function allowed({ object, kind, logicalName, args }: Declared): { args: Resource["args"]; problem?: string } {
  const given = withConsents({ kind, logicalName, args });
  const problems = problemsOf({ object, kind, logicalName, args: given });
  return problems.length === 0 ? { args: given } : { args: given, problem: problems.join("; ") };
}

/** Reasons for which a check would reject the imported resource, or the next preview would show a difference. */
function problemsOf(resource: Declared): string[] {
  const { kind } = resource;
  const { inputs, outputs } = stateOfResource(resource);
  const { failures } = checkAlone(kind, inputs, plainArgs(resource));
  if (failures.length > 0) return failures.map(({ reason }) => reason);
  const changed = changedInputs(kind, outputs, withKnownUids(kind.fields, outputs, inputs));
  return changed.length === 0 ? [] : [`a program cannot declare ${changed.join(", ")} as the platform has it`];
}

/** The arguments as plain data, with the name that the logical name stands for. */
export function plainArgs({ kind, logicalName, args }: Omit<Declared, "object">): Inputs {
  const all = Object.fromEntries(Object.entries(args).map(([name, value]) => [name, plain(value)]));
  return kind.fields["name"]?.by === "named" ? { name: logicalName, ...all } : all;
}

/** The state of the resource after the import. */
export function stateOfResource(resource: Declared): ResourceState {
  const { object, kind } = resource;
  const given = plainArgs(resource);
  const { inputs } = checkAlone(kind, given, given);
  const references = referencesOf(kind.fields).flatMap(({ name, uid }): [string, unknown][] =>
    inputs[name] === undefined
      ? []
      : [
          [name, inputs[name]],
          [uid, object.value[uid]],
        ],
  );
  const known = { ...inputs, ...Object.fromEntries(references) };
  return { inputs: known, outputs: stateOf(kind, kind.observe(object.row), known) };
}
