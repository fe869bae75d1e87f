/**
 * Adds the enum `name` to `types`.
 *
 * @returns how a member refers to it; undefined where no values are known, or where they are phrases, such as `name desc`
 */
function enumOf(area, name, values, types, isOpen = false) {
  if (values === undefined || values.some((value) => value.includes(" "))) return undefined;
  const token = `platform:${area}:${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const type = { type: "string", enum: values.map((value) => ({ name: nameOf(value), value })) };
  const known = types[token];
  if (known && JSON.stringify(known) !== JSON.stringify(type)) throw new Error(`Two enums that differ are called ${token}.`);
  types[token] = type;
  const reference = { $ref: `#/types/${token}` };
  // The platform may have values that are newer than this package.
  return isOpen ? { oneOf: [{ type: "string" }, reference] } : reference;
}

/** `REVIEW_STATE_APPROVED` as an identifier: `ReviewStateApproved`. */
function nameOf(value) {
  const words = value.split("_").map((word) => (word === word.toUpperCase() ? word.toLowerCase() : word));
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

module.exports = { enumOf };
