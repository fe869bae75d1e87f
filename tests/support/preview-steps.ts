import type { SnapshotRole } from "../../access/snapshot";
import { type Known, knownOffline } from "../../cli/review/known";
import { type Review, reviewOf } from "../../cli/review/review";
import { builtInRoles } from "../../emulator/auth/built-in-roles";
import type { InventoryObject } from "../../inventory/objects";
import { type PreviewFile, readPreviewFile } from "../../preview/file";

/** Uid of the organisation that steps are in unless they say otherwise. */
export const root = "0".repeat(40);

/** Where identities log in unless a test says otherwise. */
export const issuer = "https://login.acme.example";

/** Inputs of an identity in the organisation. */
export const identity = (name: string, subject = name) => ({ parentUid: root, name, claimMatch: { issuer, subject } });

/** The built-in roles of the emulator, by uid. */
const emulatedRoles: ReadonlyMap<string, SnapshotRole> = new Map(
  builtInRoles().map(({ uid, name, capabilities }) => [uid, { name, capabilities }]),
);

/** The facts about a preview of the emulator without asking it. */
export const offline: Known = { ...knownOffline(), roles: emulatedRoles };

/** Uid of a built-in role. */
export function roleUid(name: string): string {
  return [...emulatedRoles].find(([, role]) => role.name === name)?.[0] ?? "";
}

/** Inputs of a role binding. */
export const giving = (role: string, parentUid = root, identityUid = `${root}/ci`) => ({
  parentUid,
  identityUid,
  roleUid: roleUid(role),
});

/** The provider of resources of a type, as the engine makes it from the settings of the stack. */
export function providerOf(type: string, name = "default"): string {
  return `urn:pulumi:a::b::pulumi:providers:${type.split(":")[0] ?? ""}::${name}::0c5a`;
}

/** A provider that a program declares. @param was its inputs before the update, and `is` after it */
export function providerStep(name: string, was: object | undefined, is: object | undefined, of = "platform") {
  const type = `pulumi:providers:${of}`;
  const state = { urn: `urn:pulumi:a::b::${type}::${name}`, type, custom: true };
  const op = was === undefined ? "create" : is === undefined ? "delete" : was === is ? "same" : "update";
  return {
    op,
    urn: state.urn,
    ...(was && { oldState: { ...state, inputs: was } }),
    ...(is && { newState: { ...state, inputs: is } }),
  };
}

/** The inputs with the uids that check puts beside the names of built-in roles. A test writes those of other names itself. */
function withUids(inputs: object): object {
  const { roleName, defaultRoleName, access, roles, ...others } = inputs as Readonly<Record<string, unknown>>;
  const uidsOf = (given: readonly (readonly [string, unknown])[]) =>
    Object.fromEntries(given.flatMap(([key, name]) => (roleUid(String(name)) === "" ? [] : [[key, roleUid(String(name))]])));
  const named = uidsOf([
    ["roleUid", roleName],
    ["defaultRole", defaultRoleName],
  ]);
  const texts = [...Object.keys(Object(access) as object), ...(Array.isArray(roles) ? (roles as string[]) : [])];
  const roleUids = uidsOf(texts.map((text) => [text, text] as const));
  return { ...inputs, ...named, ...(access !== undefined && { roleUids: { ...roleUids, ...(others["roleUids"] as object) } }) };
}

/** The inputs of a resource of a type besides its arguments. */
function textOf(type: string): object {
  const kind = type.split(":").at(-1) ?? "";
  const served = kind.charAt(0).toLowerCase() + kind.slice(1);
  return type.startsWith("pulumi-nodejs:")
    ? { __provider: `exports.handler = () => require("pulumi-platform/provider").${served}` }
    : {};
}

/** A resource of a preview, before and after. Outputs are as the inputs before, unless `outputs` has others. */
export function step(
  kind: string,
  name: string,
  was: object | undefined,
  is: object,
  { outputs = {}, form = "platform:iam:", within = "", of = root, op = "update" } = {},
) {
  const type = `${form}${kind}`;
  const urn = `urn:pulumi:a::b::${within}${type}::${name}`;
  const state = { urn, type, custom: true, id: `${of}/${name}`, provider: providerOf(type) };
  const [old, now] = [was, is].map((inputs) => ({ ...(inputs && withUids(inputs)), ...textOf(type) }));
  const oldState = was && { ...state, inputs: { ...old }, outputs: { ...old, ...outputs } };
  const done = was === undefined ? "create" : was === is ? "same" : op;
  const isMade = done === "create" || done === "replace";
  return { op: done, urn: state.urn, oldState, newState: { ...state, ...(isMade && { id: "" }), inputs: { ...now } } };
}

/** A step of a preview. */
export type Step = ReturnType<typeof step>;

/** A resource that does not change. */
export function stays(kind: string, name: string, inputs: object, of = root): Step {
  return step(kind, name, inputs, inputs, { of });
}

/** A resource that the update creates. */
export function made(kind: string, name: string, inputs: object, options: Parameters<typeof step>[4] = {}): Step {
  return step(kind, name, undefined, inputs, options);
}

/** The same resource, which the update deletes. */
export function deleted({ newState: _, ...shown }: Step, more: object = {}) {
  return { ...shown, op: "delete", oldState: { ...shown.oldState, ...more } };
}

/** A resource that the program only reads. The preview shows its uid, but no values. */
export function reads(kind: string, name: string, id = `${root}/${name}`) {
  const type = `platform:iam:${kind}`;
  const state = { urn: `urn:pulumi:a::b::${type}::${name}`, type, custom: true, id, provider: providerOf(type) };
  const newState = { ...state, external: true, inputs: {}, outputs: {} };
  return { op: "read", urn: newState.urn, newState };
}

/** The same resource, some inputs of which are known only after the update and depend on others. */
export function dependingOn(shown: Step, inputs: Readonly<Record<string, readonly { urn: string }[]>>): Step {
  const urns = Object.entries(inputs).map(([input, all]) => [input, all.map(({ urn }) => urn)] as const);
  return { ...shown, newState: Object.assign({ ...shown.newState }, { propertyDependencies: Object.fromEntries(urns) }) };
}

/** The engine's document of a preview of a stack with these steps. */
export function previewText(steps: readonly object[]): string {
  const stack = {
    op: "same",
    urn: "urn:pulumi:a::b::pulumi:pulumi:Stack::c",
    oldState: { urn: "", type: "pulumi:pulumi:Stack" },
  };
  return JSON.stringify({ steps: [stack, ...steps] });
}

/** The preview of a stack with these steps. */
export function previewOf(...steps: readonly object[]): PreviewFile {
  return readPreviewFile(previewText(steps), "the file");
}

/** An object that the platform shows besides the program. */
export function object(kind: string, uid: string, value: object): InventoryObject {
  return { kind: `iam:${kind}`, uid, place: uid.split("/").slice(0, -1).join("/"), value: { ...value } };
}

/** The organisation, as the platform shows it. */
export const acme = object("Group", root, { name: "acme" });

/** The review of a stack with these steps. @param known what is known besides. Default: nothing of the organisation */
export function reviewed(steps: readonly object[], known: Partial<Known> = {}): Review {
  return reviewOf(previewOf(...steps), { ...offline, ...known });
}

/** The facts that a review could not decide. */
export const undecidedIn = ({ undecided }: Review) => undecided.map(({ what }) => what);

/** The text of a review's warnings. */
export const warningsIn = ({ warnings }: { readonly warnings: readonly { readonly message: string }[] }) =>
  warnings.map(({ message }) => message);
