import { hasPlatformForm } from "../client/uid";
import { canonical } from "./canonical";
import { type Fields, own } from "./field";
import { resolvedUid } from "./references";
import { isValues, ownValue, present, type Values } from "./values";

/**
 * `observed`, completed from `known` with the values that the platform does not return: always the write-only and local ones, those
 * that only a create returns if they are missing, texts in place of the uids that they still stand for, and references whose uid is
 * the same. Volatile values that are not known are left out, unless nothing is known.
 *
 * @param outputs where the uids of such texts are. Default: in `known`
 */
export function withKept(fields: Fields, observed: Values, known: Values, outputs: Values = known): Record<string, unknown> {
  return present(
    [...new Set([...Object.keys(observed), ...Object.keys(fields)])].map((name): [string, unknown] => {
      const { by, shape, traits } = own(fields, name) ?? {};
      const [seen, kept] = [ownValue(observed, name), ownValue(known, name)];
      if (shape?.is === "reference") {
        const uid = ownValue(observed, shape.uid);
        return [name, uid !== undefined && uid === resolvedUid(known, shape.uid) ? kept : undefined];
      }
      if (traits?.writeOnly || by === "local") return [name, kept];
      if (shape && traits?.once) return [name, canonical(seen, shape, traits) ?? kept];
      if (traits?.volatile && kept === undefined && Object.keys(outputs).length > 0) return [name, undefined];
      if (traits?.resolvedTo) return [name, standsFor(kept, seen, outputs[traits.resolvedTo]) ? kept : seen];
      if (shape?.is !== "message" || !isValues(seen)) return [name, seen];
      return [name, withKept(shape.members, seen, isValues(kept) ? kept : {}, outputs)];
    }),
  );
}

/** Whether `text` stands for the object `uid`. @param last the uid that it stood for before; undefined if it was just sent */
function standsFor(text: unknown, uid: unknown, last: unknown): boolean {
  if (typeof text !== "string" || typeof uid !== "string") return false;
  return last === undefined ? !hasPlatformForm(text) : last === uid;
}
