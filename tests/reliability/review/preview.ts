import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { type PreviewFile, readPreviewFile } from "../../../preview/file";
import { unknownValue } from "../../../provider/schema/inputs";
import { inputsOf, type Inputs, type Outcome, type State } from "./engine";
import { known, organization, type Platform, readable, Refused, type Thing } from "./platform";
import { dependenciesOf, eraOf, type Resource, type Slot } from "./random-update";

/** How a preview looks, whatever the update is. */
export interface Look {
  /** Types of the dynamic provider, or of the plugin. */
  readonly types: "pulumi-nodejs:dynamic/platform/" | "platform:";
  /** Whether the steps of a replacement are shown too: `--show-replacement-steps`. */
  readonly hasParts: boolean;
  /** Whether existing objects are taken over by the option `import`, not by `adopt`. */
  readonly imports: boolean;
}

/** Every look. */
export const looks: fc.Arbitrary<Look> = fc.record({
  types: fc.constantFrom("pulumi-nodejs:dynamic/platform/", "platform:"),
  hasParts: fc.boolean(),
  imports: fc.boolean(),
});

/**
 * The document of `pulumi preview --json --show-sames` before the update. Uids of new objects are unknown. The uid of each name stands
 * beside it, as check has found it on the platform of before.
 */
export function previewOf(outcome: Outcome, look: Look): PreviewFile {
  const { update, state } = outcome;
  const type = ({ kind }: Resource) => `${look.types}iam:${kind}`;
  const urnOf = (resource: Resource) => urnIn(look, resource);
  /** Uids as the preview knows them. */
  const uids = new Map<string, string>(known);
  const uidOf = (slot: string) => uids.get(slot) ?? "";
  const urnsOf = (resource: Resource) =>
    Object.fromEntries(
      Object.entries(dependenciesOf(resource)).map(([input, slots]) => [
        input,
        slots.flatMap((slot) => update.get(slot)?.after ?? []).map(urnOf),
      ]),
    );
  const isHosted = look.types !== "platform:";
  const provider = `urn:pulumi:test::test::pulumi:providers:${isHosted ? "pulumi-nodejs" : "platform"}::default::0c5a`;
  const withText = (resource: Resource, values: Inputs): Inputs => {
    const served = resource.kind.charAt(0).toLowerCase() + resource.kind.slice(1);
    const __provider = `exports.handler = () => require("pulumi-platform/provider").${served}`;
    return { ...shown(resource, values), ...(isHosted && { __provider }) };
  };
  const stateOf = (resource: Resource) => ({ urn: urnOf(resource), type: type(resource), custom: true, provider });
  const oldState = (resource: Resource, { id, inputs, outputs }: State, isRetained: boolean) => ({
    ...stateOf(resource),
    id,
    inputs: withText(resource, withStateUids(inputs, outputs)),
    outputs: withText(resource, look.types === "platform:" ? outputs : withSecretOutputs(outputs)),
    ...(isRetained && { retainOnDelete: true }),
  });
  const isReading = (slot: Slot, resource: Resource) => readBy(outcome, slot, resource) !== undefined;
  /** The object of others that is read, by the name of the resource. */
  const readState = (resource: Resource) => ({
    ...stateOf(resource),
    id: readable.get(resource.kind),
    external: true,
    inputs: withText(resource, {}),
    outputs: {},
  });
  const stack = { urn: "urn:pulumi:test::test::pulumi:pulumi:Stack::s", type: "pulumi:pulumi:Stack", custom: false };
  const steps: object[] = [{ op: "same", urn: stack.urn, oldState: stack, newState: stack }];
  for (const [name, slot] of update) {
    const { before: was, after: is, isForced, isRetained } = slot;
    if (is === undefined) continue;
    const kept = was && state.get(name);
    const declared = withUids(is, inputsOf(is, update, eraOf(slot), uidOf), kept, outcome.before);
    const inputs = is.isLoginPending && is.kind === "Identity" ? { ...declared, claimMatch: unknownValue } : declared;
    const newState = { ...stateOf(is), inputs: withText(is, inputs), propertyDependencies: urnsOf(is) };
    const urn = urnOf(is);
    const taken = look.imports ? takenBy(outcome, name) : undefined;
    const isImport = taken !== undefined;
    const old = isImport ? readOf(taken) : kept;
    if (old === undefined) {
      if (isReading(slot, is)) {
        const step = { urn, oldState: readState(is), newState };
        if (look.hasParts) steps.push({ ...step, op: "create-replacement" });
        steps.push({ ...step, op: "replace" });
        if (look.hasParts) steps.push({ op: "discard-replaced", urn, oldState: step.oldState });
      } else steps.push({ op: "create", urn, newState });
      uids.set(name, unknownValue);
      continue;
    }
    if (isImport) {
      steps.push({ op: "import", urn, newState: { ...newState, importID: taken.uid } });
      uids.set(name, taken.uid);
      if (isDeepStrictEqual(inputs, old.inputs)) continue;
    }
    const replaceReasons = isForced && !isImport ? ["id"] : replacedFor(is, old, inputs);
    const step = { urn, oldState: oldState(was ?? is, old, isRetained), newState, replaceReasons };
    if (replaceReasons.length > 0) {
      if (look.hasParts) steps.push({ ...step, op: "create-replacement" });
      steps.push({ ...step, op: "replace" });
      if (look.hasParts) steps.push({ op: "delete-replaced", urn, oldState: step.oldState });
      uids.set(name, unknownValue);
    } else {
      steps.push({ ...step, op: isDeepStrictEqual(inputs, withStateUids(old.inputs, old.outputs)) ? "same" : "update" });
      uids.set(name, old.id);
    }
  }
  for (const [name, slot] of [...update].reverse()) {
    const { before: was, after, isRetained } = slot;
    const old = state.get(name);
    if (was === undefined || old === undefined || after !== undefined) continue;
    const step = { urn: urnOf(was), oldState: oldState(was, old, isRetained) };
    if (isReading(slot, was)) {
      if (look.hasParts) steps.push({ ...step, op: "read-replacement", newState: readState(was) });
      steps.push({ ...step, op: "replace", newState: readState(was) });
      if (look.hasParts) steps.push({ ...step, op: "delete-replaced" });
    } else steps.push({ ...step, op: "delete" });
  }
  const summary = Object.groupBy(steps, (step) => (step as { op: string }).op);
  const changeSummary = Object.fromEntries(Object.entries(summary).map(([op, all]) => [op, all?.length]));
  return readPreviewFile(JSON.stringify({ steps, changeSummary }), "the preview");
}

/** The URN of a resource. */
export function urnIn({ types }: Look, { component, kind, logical }: Resource): string {
  return `urn:pulumi:test::test::${component}${types}iam:${kind}::${logical}`;
}

/** The object of others that a resource becomes which the update adds: by `adopt`, or by an import. */
export function takenBy({ update, before, uids }: Outcome, name: string): Thing | undefined {
  const slot = update.get(name);
  const taken = before.get(uids.get(name) ?? "");
  // A GroupAccess is no object.
  const isTaking = slot?.before === undefined && slot?.after?.kind !== "GroupAccess" && taken?.slot === undefined;
  return isTaking ? taken : undefined;
}

/** The uid of the object of others that a slot reads where the program does not declare it. */
export function readBy({ before }: Outcome, { isRead }: Slot, { kind }: Resource): string | undefined {
  const uid = isRead ? readable.get(kind) : undefined;
  return uid !== undefined && before.get(uid)?.slot === undefined ? uid : undefined;
}

/** A secret login is hidden, before the update and after it. */
function shown({ kind, isLoginSecret }: Resource, values: Inputs): Inputs {
  return kind === "Identity" && isLoginSecret ? { ...values, claimMatch: "[secret]" } : values;
}

/** The state of an imported object. */
function readOf({ uid, parent, title, login, allows, who, role }: Thing): State {
  const named = title === "" ? {} : { name: title };
  const inputs = {
    parentUid: parent,
    ...named,
    ...(login && { claimMatch: login }),
    ...(allows && { capabilities: allows }),
    ...(who && { identityUid: who, roleUid: role }),
  };
  return { id: uid, inputs, outputs: inputs };
}

/** The arguments that take a name, with the argument for the uid. */
const uidOfName: ReadonlyMap<string, string> = new Map([
  ["parentPath", "parentUid"],
  ["identityRef", "identityUid"],
  ["roleName", "roleUid"],
  ["defaultRoleName", "defaultRole"],
]);

/** The inputs in state, where a check of this release has put the uid beside each name. */
function withStateUids(inputs: Inputs, outputs: Inputs): Inputs {
  const found = [...uidOfName].flatMap(([name, uid]) => (inputs[name] === undefined ? [] : [[uid, outputs[uid]] as const]));
  const { roleUids } = outputs;
  return { ...inputs, ...Object.fromEntries(found), ...(roleUids !== undefined && { roleUids }) };
}

/** The declared inputs with the uid beside each name: the one in state for the same text, else what the text means on the platform. */
function withUids({ kind }: Resource, inputs: Inputs, state: State | undefined, platform: Platform): Inputs {
  const all: Record<string, unknown> = { ...inputs };
  const add = (name: string, find: (text: string) => string) => {
    const uid = uidOfName.get(name) ?? "";
    if (inputs[name] === undefined) return;
    const isKept = isDeepStrictEqual(state?.inputs[name], inputs[name]);
    const found = isKept ? (state?.outputs[uid] as string) : shownBy(() => find(inputs[name] as string));
    if (found !== undefined) all[uid] = found;
  };
  const placeOf = (name: string) => (typeof all[name] === "string" && all[name] !== unknownValue ? all[name] : "unknown");
  add("parentPath", (text) => platform.groupAt(text.split("/")));
  const place = kind === "ExternalGroupRoleMapping" ? organization : placeOf("parentUid");
  add("identityRef", (reference) => platform.identityNamed(reference));
  for (const name of ["roleName", "defaultRoleName"]) add(name, (text) => platform.roleNamed(text, place));
  const isSamePlace = place === state?.outputs["parentUid"];
  const known = (isSamePlace ? (state.outputs["roleUids"] as Inputs | undefined) : undefined) ?? {};
  const roles = Object.keys((inputs["access"] as object | undefined) ?? {}).flatMap((text) => {
    const found = known[text] ?? shownBy(() => platform.roleNamed(text, place));
    return found === undefined ? [] : [[text, found] as const];
  });
  return { ...all, ...(kind === "GroupAccess" && { roleUids: Object.fromEntries(roles) }) };
}

/** The uid that a name means on the platform; undefined if nothing has it, or several. */
function shownBy(find: () => string): string | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof Refused) return undefined;
    throw error;
  }
}

/** The inputs for which a diff asks for a replacement: a path without a uid may be another place. */
function replacedFor({ kind }: Resource, { inputs, outputs }: State, is: Inputs): string[] {
  const was = withStateUids(inputs, outputs);
  const changed = (...names: string[]) => names.filter((name) => !isDeepStrictEqual(was[name], is[name]));
  const isResolved = (name: string) =>
    is[uidOfName.get(name) ?? ""] !== undefined || (uidOfName.has(name) && is[name] === undefined);
  if (kind === "GroupInvite") return changed(...Object.keys({ ...was, ...is })).filter((name) => !isResolved(name));
  if (kind === "ExternalGroupRoleMapping")
    return [
      ...changed("identityProviderUid", "externalGroupId"),
      ...(!isDeepStrictEqual(was, is) && is["roleUid"] !== outputs["roleUid"] ? ["roleUid"] : []),
    ];
  if (is["parentPath"] !== undefined && is["parentUid"] === undefined) return ["parentPath"];
  return is["parentUid"] === outputs["parentUid"] ? [] : ["parentUid"];
}

/** The dynamic provider encrypts a whole output for a secret in it. */
function withSecretOutputs(outputs: Inputs): Inputs {
  return outputs["oidc"] === undefined ? outputs : { ...outputs, oidc: "[secret]" };
}
