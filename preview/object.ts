import { isDeepStrictEqual } from "node:util";
import { decidesAccess, groupOf, kindNames } from "../inventory/kinds";
import type { InventoryObject } from "../inventory/objects";
import { unknownValue } from "../provider/schema/inputs";
import { declaredInputs, type Inputs } from "../provider/schema/kind";
import { type Path, present } from "../provider/schema/values";
import { referencesOf, withKnownUids } from "../provider/schema/references";
import { type Actual, type Effect, Findings, type Open, releaseOf } from "./effect";
import { unwrittenFields } from "./half-done";
import { hiddenIn, hiddenSecret, holds } from "./hidden";
import { kindOf, nameOf, type Planned } from "./plan";
import type { References } from "./references";

/** What a resource with an object of its own is before and after the update. */
export function objectEffect(planned: Planned, references: References, { shown, known, isGone }: Actual): Effect {
  const { before, after, op } = planned;
  const kind = kindOf(planned);
  const { external, id = "", outputs } = after ?? before ?? {};
  // A first `get` has no outputs: use the platform's object, else only the uid.
  const isBlank = planned.kind === kindNames.role && outputs?.["name"] === undefined;
  if (external === true && (isBlank || known.has(planned.kind, id))) return { before: [], after: [] };
  const object = (key: string, value: Inputs): InventoryObject => {
    const hidden = new Set(
      hiddenIn(kind.fields, value).flatMap(({ path: [field = ""] }) => (holds(value[field], hiddenSecret) ? field : [])),
    );
    // What a secret hides of an object that stays is as the platform shows it.
    const shownOf = op === "keep" ? known.get(planned.kind, key)?.value : undefined;
    const plain = Object.entries(value).map(([field, each]) => [field, hidden.has(field) ? shownOf?.[field] : each] as const);
    return { kind: planned.kind, uid: key, place: groupOf(kind, key), value: present(plain) };
  };
  const stated = valueBefore(planned, references);
  const uid = before?.id ?? "";
  const found = shown.get(planned.kind, uid)?.value;
  const valueWas = found ?? stated;
  const isThere = uid !== "" && (found !== undefined || !isGone(planned.kind, uid));
  const was = isThere ? [object(uid, valueWas)] : [];
  const hiddenWas = isThere ? [...hiddenOf(planned, uid, valueWas), ...unresolvedIn(planned, valueWas)] : [];
  if (after === undefined) return { before: was, after: [], open: hiddenWas };
  if (op === "keep" || op === "release") {
    const { open, warnings } = releaseOf(planned, references);
    return { before: was, after: was, open: [...hiddenWas, ...open], warnings: [unwrittenFields(planned, kind), ...warnings] };
  }
  const key = references.keyAfter(planned);
  const findings = new Findings(references);
  const value = valueAfter(planned, references, findings);
  const open = [...findings.open, ...hiddenWas, ...hiddenOf(planned, key, value)];
  const declared = declaredInputs(kind, value);
  // What the program does not change stays as it is on the platform.
  const isSent = (field: string) => op !== "change" || !isDeepStrictEqual(declared[field], stated[field]);
  const fields = Object.keys({ ...declared, ...found });
  const is = found ? present(fields.map((field) => [field, (isSent(field) ? declared : found)[field]])) : declared;
  return { before: was, after: [object(key, is)], standIns: findings.standIns, open };
}

/** What the preview does not show of a value that decides who has access. */
function hiddenOf(planned: Planned, key: string, value: Inputs): Open[] {
  const stays = planned.op === "keep" || planned.op === "release";
  return hiddenIn(kindOf(planned).fields, value)
    .filter(({ path }) => decidesAccess(planned, path) || isSink(planned, path))
    .map(({ path, reason }): Open => {
      const what = `${path.join(".")} of ${nameOf(planned.urn)}`;
      return stays ? { what, reason, is: "unknown" } : { what, reason, is: "undecided", about: [key] };
    });
}

/** References of which neither the state nor the platform shows what they mean: they may mean anything. */
function unresolvedIn(planned: Planned, value: Inputs): Open[] {
  const named = referencesOf(kindOf(planned).fields).filter(
    ({ name, uid }) => value[name] !== undefined && !value[uid] && decidesAccess(planned, [uid]),
  );
  return named.map(({ name }) => ({
    what: `what ${name} of ${nameOf(planned.urn)} means today`,
    reason: "neither the state nor the platform shows it. Refresh the state, or pass the uid",
    is: "undecided",
  }));
}

/** True for where the events of a group are sent, which lets somebody see them. */
function isSink({ kind, op }: Planned, [field]: Path): boolean {
  return kind === kindNames.subscription && field === "sink" && op === "change";
}

/** What the platform has, as the state knows it: outputs, where an update failed half-way after its inputs were stored. */
function valueBefore({ before, kind: name, after }: Planned, references: References): Inputs {
  const kind = kindOf({ kind: name });
  const [inputs, outputs] = [before?.inputs ?? after?.inputs ?? {}, before?.outputs ?? {}];
  // The state encrypts a whole output for a secret in it; inputs show the rest.
  const isRead = (field: string, value: unknown) =>
    field in kind.fields && value !== unknownValue && value !== null && (value !== hiddenSecret || inputs[field] === undefined);
  const read = Object.fromEntries(Object.entries(outputs).filter(([field, value]) => isRead(field, value)));
  const value = { ...withKnownUids(kind.fields, outputs, inputs), ...read };
  // What an import finds has no outputs that would tell what its references mean.
  const found = referencesOf(kind.fields).flatMap(({ name: text, uid, to }) => {
    const named = value[text];
    if (named === undefined || value[uid]) return [];
    if (to !== "role" || typeof named !== "string" || named === unknownValue) return [];
    const ref = references.role(named, before?.id ?? "");
    return "key" in ref ? [[uid, ref.key] as const] : [];
  });
  // Outputs omit an empty list: a role without the member has lost all its capabilities.
  const isEmptied = name === kindNames.role && before?.outputs != null && outputs["capabilities"] === undefined;
  return declaredInputs(kind, { ...value, ...Object.fromEntries(found), ...(isEmptied && { capabilities: [] }) });
}

/** What the program declares, with what its references mean. */
function valueAfter(planned: Planned, references: References, findings: Findings): Inputs {
  const kind = kindOf(planned);
  const keys = Object.entries(kind.fields).flatMap(([field, { shape }]): [string, string][] => {
    if (shape.is !== "uid") return [];
    const noun = field === kind.parentInput ? "place" : shape.of;
    const key = findings.keyOf(`the ${noun} of ${nameOf(planned.urn)}`, planned, field);
    return key === undefined ? [] : [[field, key]];
  });
  return { ...references.inputsAfter(planned), ...Object.fromEntries(keys) };
}
