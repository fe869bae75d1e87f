import type { SchemaReference, SchemaType, SchemaTypes } from "./schema-form";

/**
 * Adds the enum `name` to `types`.
 *
 * @returns the reference of a member to it; undefined if no values are known, or if they are phrases, such as `name desc`
 */
export function enumOf(
  { area, name, values }: { area: string; name: string; values: readonly string[] | undefined },
  types: SchemaTypes,
): SchemaReference | undefined {
  if (values === undefined || values.some((value) => value.includes(" "))) return undefined;
  const token = `platform:${area}:${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const type: SchemaType = { type: "string", enum: values.map((value) => ({ name: nameOf(value), value })) };
  const known = types[token];
  if (known && JSON.stringify(known) !== JSON.stringify(type)) throw new Error(`Two enums that differ are called ${token}.`);
  types[token] = type;
  return { $ref: `#/types/${token}` };
}

/** `REVIEW_STATE_APPROVED` as an identifier: `ReviewStateApproved`. */
function nameOf(value: string): string {
  const words = value.split("_").map((word) => (word === word.toUpperCase() ? word.toLowerCase() : word));
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}
