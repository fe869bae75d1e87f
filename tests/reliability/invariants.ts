import { isDeepStrictEqual } from "node:util";
import { declaredInputs, type Inputs, naturalKeyOf, type Kind, inputsOf } from "../../provider/schema/kind";
import type { KindFixture, Snapshot } from "./kind-fixture";
import type { Scene, Verb } from "./lifecycles";

/** The outcome of a step. */
export interface Aftermath {
  verb: Verb;
  before: Snapshot;
  after: Snapshot;
  error: Error | undefined;
  /** All messages that the user has seen. */
  message: string;
}

const maybeMade = /unknown whether the platform created it/;

/** How an error asks for an object to be deleted that no later run could take over. */
export const deleteIt = /Delete \S+ on the platform, then run again|Check whether it exists\. If so, delete it/;

/** Violations of what must hold whatever went wrong, as sentences; empty if there are none. */
export function violations(fixture: KindFixture, scene: Scene, { verb, before, after, error, message }: Aftermath): string[] {
  const { entry, leaving } = scene.stack;
  const found: string[] = [];
  const mine = [...after].filter(([, { collection }]) => collection === fixture.collection);
  // Built-in objects have no parent, and so no key.
  const keys = mine.flatMap(([, { object }]) => naturalKeyOf(fixture.kind, fixture.kind.observe(object).inputs) ?? []);
  if (new Set(keys).size < keys.length) found.push(`an object exists twice: ${keys.join(", ")}`);

  const known = new Set([entry?.id, ...leaving.map((each) => each.id)]);
  for (const [uid] of after) {
    if (before.has(uid) || known.has(uid) || (fixture.kind.naturalKey.length === 0 && deleteIt.test(message))) continue;
    if (!maybeMade.test(message)) found.push(`${uid} exists, and state does not know it`);
    else if (!message.includes("adopt: true")) found.push(`the error does not say how to adopt ${uid}`);
  }
  for (const uid of before.keys()) if (!after.has(uid) && !scene.mayDelete?.includes(uid)) found.push(`${uid} was deleted`);

  for (const [uid, { object }] of before) {
    const now = after.get(uid)?.object;
    const mayChange = verb === "update" && uid === scene.uid;
    if (now !== undefined && !mayChange && !isDeepStrictEqual(now, object)) found.push(`${uid} was changed`);
  }
  // A delete that was applied and not answered leaves its entry: only a look at the platform can tell.
  const mayBeMissing = scene.isGone || (error !== undefined && scene.mayDelete?.includes(entry?.id ?? ""));
  if (entry !== undefined && !after.has(entry.id) && !mayBeMissing) found.push(`state holds ${entry.id}, which does not exist`);
  if (error === undefined) found.push(...untruths(fixture, scene, after));
  return found;
}

/** Differences between program, state and platform after a step that succeeded. */
function untruths(fixture: KindFixture, { stack: { entry }, program }: Scene, after: Snapshot): string[] {
  if (program === undefined) return entry === undefined ? [] : [`state still holds ${entry.id}`];
  if (entry === undefined) return ["state holds nothing"];
  const object = after.get(entry.id)?.object;
  if (object === undefined) return [`state holds ${entry.id}, which does not exist`];
  const declared = declaredInputs(fixture.kind, program);
  const views: [string, Inputs][] = [
    ["state", declaredInputs(fixture.kind, entry.outputs)],
    // The admin API shows what the platform never returns; it does not know the provider's own arguments.
    ["the platform", inputsOf(fixture.kind, fixture.kind.observe(object), { ...localInputs(fixture.kind, declared), ...object })],
  ];
  return views
    .filter(([, view]) => !isDeepStrictEqual(view, declared))
    .map(([where, view]) => `${where} has ${JSON.stringify(view)} where the program has ${JSON.stringify(declared)}`);
}

function localInputs({ fields }: Kind, inputs: Inputs): Inputs {
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => fields[name]?.by === "local"));
}

/** Problems of an error: it must name the object and the cause, and contain no secret and no stack. */
export function faultyWords(
  fixture: KindFixture,
  scene: Scene,
  verb: Verb,
  error: Error,
  causes: RegExp[],
  secrets: string[],
): string[] {
  const { message, stack } = error;
  const found: string[] = [];
  const { program, stack: state, uid } = scene;
  const { naturalKey } = fixture.kind;
  const names = [
    uid,
    state.entry?.id,
    ...(naturalKey.length > 0 ? naturalKey : Object.keys(program ?? {})).map((name) => program?.[name]),
    ...state.leaving.map((each) => each.id),
  ];
  // An object without a name of its own is named by its place.
  const isNameless = naturalKey.length === 0 || fixture.kind.sharesUid;
  const place = isNameless ? `${fixture.kind.collection.noun} under acme.example/` : undefined;
  const isNamed = [...names, place].some((name) => typeof name === "string" && message.includes(asShown(name)));
  if (!isNamed && !(verb === "list" && message.startsWith(`get${capitalised(fixture.collection)}: `)))
    found.push(`the error names no object: ${message}`);
  if (!causes.some((cause) => cause.test(message))) found.push(`the error names no cause: ${message}`);
  if (secrets.some((secret) => secret !== "" && `${message}${stack ?? ""}`.includes(secret)))
    found.push("the error holds a token");
  // The host prints an error's stack; the engine prints none for a data source (docs/contributing/engine.md#stacks-of-errors).
  if (verb !== "list" && stack !== "") found.push(`the error has a stack: ${String(stack)}`);
  return found;
}

/** A name as errors show it: the path of an address may be a secret. */
function asShown(name: string): string {
  return name.startsWith("https://") ? `${new URL(name).origin}/...` : name;
}

function capitalised(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
