import { isDeepStrictEqual } from "node:util";
import { decidesAccess, groupOf, kindNames } from "../inventory/kinds";
import type { InventoryObject } from "../inventory/objects";
import { declaredInputs, inputNames, type Inputs, inputsOf, shownDifferences } from "../provider/schema/kind";
import { present } from "../provider/schema/values";
import { referencesOf, withKnownUids } from "../provider/schema/references";
import { type Actual, type Effect, Findings, type Open, releaseOf } from "./effect";
import { unwrittenFields } from "./half-done";
import { kindOf, nameOf, type Planned } from "./plan";
import type { References } from "./references";
import { hiddenIn, holds, seen } from "./seen";

/** The object of a resource before and after the update. */
export function objectEffect(planned: Planned, references: References, actual: Actual): Effect {
  if (isOthers(planned, actual)) return { before: [], after: [] };
  const { op, kind, before: was } = planned;
  const found = actual.shown.get(kind, was.id)?.value;
  const stated = valueBefore(planned);
  const isThere = was.id !== "" && (found !== undefined || !actual.isGone(kind, was.id));
  const value = found ?? stated;
  const before = isThere ? [objectOf(planned, was.id, value, actual)] : [];
  const hidden = isThere ? [...hiddenOf(planned, was.id, value), ...unresolvedIn(planned, value)] : [];
  if (op === "delete") return { before, after: [], open: hidden };
  if (op === "keep" || op === "release") {
    const { open, warnings } = releaseOf(planned, references);
    const unwritten = unwrittenFields(planned, kindOf(planned));
    return { before, after: before, open: [...hidden, ...open], warnings: [unwritten, ...warnings] };
  }
  const findings = new Findings(references);
  const key = references.keyAfter(planned);
  const declared = valueAfter(planned, references, findings);
  const after = [objectOf(planned, key, writtenOver(found, planned, stated, declared), actual)];
  const open = [...findings.open, ...hidden, ...hiddenOf(planned, key, declared), ...foreignIn(planned, found, stated, declared)];
  return { before, after, standIns: findings.standIns, open };
}

/** True for a resource that the program only reads. The platform shows its object. */
function isOthers({ op, kind, before, after }: Planned, { known }: Actual): boolean {
  const { external, id, outputs } = op === "delete" ? before : after;
  // A first `get` has no outputs: use the platform's object, else only the uid.
  const isBlank = kind === kindNames.role && outputs["name"] === undefined;
  return external && (isBlank || known.has(kind, id));
}

function objectOf(planned: Planned, uid: string, value: Inputs, { known }: Actual): InventoryObject {
  const { kind, op } = planned;
  const declaration = kindOf(planned);
  const hidden = new Set(hiddenIn(declaration.fields, value).map(({ path: [field] }) => field));
  // If the object stays, the platform shows the fields that a secret hides.
  const shown = op === "keep" ? known.get(kind, uid)?.value : undefined;
  const plain = Object.entries(value).map(
    ([field, each]) => [field, hidden.has(field) && holds(each, "secret") ? shown?.[field] : each] as const,
  );
  return { kind, uid, place: groupOf(declaration, uid), value: present(plain) };
}

/** The platform's values, overwritten by the declared ones that the program changes. */
function writtenOver(found: Inputs | undefined, planned: Planned, stated: Inputs, value: Inputs): Inputs {
  const declared = declaredInputs(kindOf(planned), value);
  if (found === undefined) return declared;
  const isSent = (field: string) => planned.op !== "change" || !isDeepStrictEqual(declared[field], stated[field]);
  const fields = Object.keys({ ...declared, ...found });
  return present(fields.map((field) => [field, (isSent(field) ? declared : found)[field]]));
}

/** Access fields that the update leaves alone, but somebody else has changed: `up` stops there, or resets them if it overwrites. */
function foreignIn(planned: Planned, found: Inputs | undefined, stated: Inputs, value: Inputs): Open[] {
  if (found === undefined || planned.op !== "change") return [];
  const kind = kindOf(planned);
  const [was, is, now] = [declaredInputs(kind, stated), declaredInputs(kind, value), declaredInputs(kind, found)];
  // The provider finds changes of others by the same comparison.
  return inputNames(shownDifferences(kind, inputsOf(kind, { uid: planned.before.id, inputs: now, outputs: {} }, stated), was))
    .filter(
      (field) => decidesAccess(planned, [field]) && !kind.immutable.includes(field) && isDeepStrictEqual(is[field], was[field]),
    )
    .map((field) => ({
      what: `${field} of ${nameOf(planned.urn)}`,
      reason:
        "somebody else has changed it since the last update. `pulumi up` stops with CHANGED_MEANWHILE, or resets it if PLATFORM_OVERWRITE is set. Preview with --refresh",
      is: "undecided",
    }));
}

/** The hidden parts of a value that decide access. */
function hiddenOf(planned: Planned, key: string, value: Inputs): Open[] {
  const stays = planned.op === "keep" || planned.op === "release";
  return hiddenIn(kindOf(planned).fields, value)
    .filter(({ path }) => decidesAccess(planned, path))
    .map(({ path, reason }): Open => {
      const what = `${path.join(".")} of ${nameOf(planned.urn)}`;
      return stays ? { what, reason, is: "unknown" } : { what, reason, is: "undecided", about: [key] };
    });
}

/** References whose objects neither the state nor the platform shows. They may mean any object. */
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

/** The platform's values as the state knows them. Outputs come first, because an update that failed half-way has stored its inputs. */
function valueBefore(planned: Planned): Inputs {
  const { inputs, outputs } = planned.before;
  const kind = kindOf(planned);
  // A secret inside an output makes the state encrypt all of it; inputs show the rest.
  const isRead = ([field, value]: readonly [string, unknown]) =>
    field in kind.fields && { value: value !== null, computed: false, secret: inputs[field] === undefined }[seen(value).is];
  const read = Object.fromEntries(Object.entries(outputs).filter(isRead));
  const value = { ...withKnownUids(kind.fields, outputs, inputs), ...read };
  // Outputs omit an empty list, so a role without the member has lost all its capabilities.
  const isEmptied = planned.kind === kindNames.role && outputs["name"] !== undefined && outputs["capabilities"] === undefined;
  return declaredInputs(kind, { ...value, ...(isEmptied && { capabilities: [] }) });
}

/** The declared values, with the keys of the objects that references mean. */
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
