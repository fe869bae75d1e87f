import { literal } from "../../client/printable";
import { hasPlatformForm, isUid } from "../../client/uid";
import type { Problem } from "../../schema/declaration";
import type { Shape } from "../../schema/field";
import { unknownValue } from "../../schema/inputs";
import type { Inputs, Kind } from "../../schema/kind";
import { builtInRole } from "../../kinds/role";
import { referencesOf } from "../../schema/references";

/** The argument that takes a name. */
function insteadOf({ fields }: Kind, uid: string): string {
  const reference = referencesOf(fields).find((each) => each.uid === uid);
  return reference === undefined ? "" : `; or write ${reference.name} instead`;
}

/**
 * Inputs with a name instead of a uid. Any text can be a uid on some platform, so a problem needs evidence: if the organisation, or
 * another uid of the same object, has the platform's usual form, all uids have it. Uids of roles may differ, so only the names of
 * built-in roles are problems.
 *
 * @param organization uid of the root group, if configured
 */
export function namesForUids(kind: Kind, inputs: Inputs, organization: string | undefined): Problem[] {
  const uids = Object.entries(kind.fields).flatMap(([name, { shape }]) => uidsIn(name, shape, inputs[name]));
  const known = [organization ?? "", ...uids.map(({ value }) => value)];
  if (!known.some((uid) => hasPlatformForm(uid))) return [];
  return uids
    .filter(({ value, of }) => (of === "role" ? builtInRole.test(value) : !hasPlatformForm(value)))
    .map(({ name, value, of }) => ({
      property: name,
      reason:
        `${name} ${literal(value)} is not a complete uid of this platform. Pass the uid of the ${of}, not its name: \`id\` of its ` +
        `resource, or \`uid\` of its data source${insteadOf(kind, name)}`,
    }));
}

/** A text in place of a uid. */
interface GivenUid {
  /** Path of the input. */
  readonly name: string;
  readonly value: string;
  /** Noun of the object's kind. */
  readonly of: string;
}

/** The uids in `value`, also in its lists and maps. */
function uidsIn(name: string, shape: Shape, value: unknown): GivenUid[] {
  if (shape.is === "uid")
    return typeof value === "string" && isUid(value) && value !== unknownValue ? [{ name, value, of: shape.of }] : [];
  if (!("of" in shape) || typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => uidsIn(`${name}.${key}`, shape.of, item));
}
