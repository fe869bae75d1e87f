import { hasPlatformForm } from "../client/uid";
import { canonical } from "./canonical";
import { derivedOnce } from "./derived";
import { type Field, type Fields, isInput } from "./field";
import { resolvedUid } from "./references";
import { isValues, present, type Values } from "./values";

/**
 * `observed`, completed with values of `known` that the answer does not show. These are write-only and local values, values that only a
 * create returns, texts in place of uids that they still stand for, and references while their uid is the same. A volatile value is left
 * out unless `known` contains it or is empty. The description of another object stays as it was first observed.
 *
 * @param observed in canonical form
 * @param outputs contains the uids of texts. Default: `known`
 */
export function withKept(fields: Fields, observed: Values, known: Values, outputs: Values = known): Record<string, unknown> {
  const kept = keptIn(fields)
    .filter(([name]) => observed[name] !== undefined || known[name] !== undefined)
    .map(([name, field]): [string, unknown] => [name, keptValue(name, field, { observed, known, outputs })]);
  return kept.length === 0 ? observed : present(Object.entries({ ...observed, ...Object.fromEntries(kept) }));
}

/** The fields whose value in state may differ from the one in an answer. */
const keptIn: (fields: Fields) => readonly [string, Field][] = derivedOnce((fields: Fields) =>
  Object.entries(fields).filter(([, { by, shape, traits }]) => {
    if (by === "local" || shape.is === "reference") return true;
    if (traits.writeOnly || traits.once || traits.volatile || (traits.resolvedTo ?? traits.firstFor) !== undefined) return true;
    return shape.is === "message" && keptIn(shape.members).length > 0;
  }),
);

/** The sources from which a value is completed. */
interface Sources {
  readonly observed: Values;
  readonly known: Values;
  readonly outputs: Values;
}

function keptValue(name: string, field: Field, { observed, known, outputs }: Sources): unknown {
  const { by, shape, traits } = field;
  const seen = observed[name];
  if (shape.is === "message" && !traits.writeOnly && by !== "local") {
    if (!isValues(seen)) return seen;
    const members = withKept(shape.members, seen, isValues(known[name]) ? known[name] : {}, outputs);
    return isInput(field) && Object.keys(members).length === 0 ? undefined : members;
  }
  const kept = canonical(known[name], shape, traits);
  if (shape.is === "reference") {
    const uid = observed[shape.uid];
    return uid !== undefined && uid === resolvedUid(known, shape.uid) ? kept : undefined;
  }
  if (traits.firstFor !== undefined) {
    const uid = observed[traits.firstFor];
    return kept !== undefined && uid !== undefined && uid === resolvedUid(known, traits.firstFor) ? kept : seen;
  }
  if (traits.writeOnly || by === "local") return kept;
  if (traits.once) return canonical(seen, shape, traits) ?? kept;
  if (traits.volatile && kept === undefined && Object.keys(outputs).length > 0) return undefined;
  return traits.resolvedTo && standsFor(kept, seen, outputs[traits.resolvedTo]) ? kept : seen;
}

/** Whether `text` stands for the object `uid`. @param last the earlier uid of the text; undefined if the text was just sent */
function standsFor(text: unknown, uid: unknown, last: unknown): boolean {
  if (typeof text !== "string" || typeof uid !== "string") return false;
  return last === undefined ? !hasPlatformForm(text) : last === uid;
}
