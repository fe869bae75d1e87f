import { literal } from "../client/printable";
import { hasPlatformForm, isUid } from "../client/uid";
import { unknownValue } from "../kinds/inputs";
import type { Inputs, Kind } from "../kinds/kind";
import type { CheckFailure } from "./check";

/** Built-in roles, by the names under which people know them (docs/platform-api.md#built-in-roles). */
const builtInRole =
  /^(owner|editor|viewer|limited_owner|console_viewer|registry\.(pull|pull_token_creator)|apk\.pull|libraries\.[a-z]+\.(pull|pull_token_creator)|guardener\.(user|admin))$/;

/**
 * Inputs that hold a name where a uid belongs. Any text can be a uid of some platform, so this needs evidence: where the organisation,
 * or another uid of the same object, has the platform's own form, all have it. A role may have a uid of its own form, so only the
 * names of built-in roles count there.
 *
 * @param organization uid of the root group, where it is configured
 */
export function namesForUids(kind: Kind, inputs: Inputs, organization: string | undefined): CheckFailure[] {
  const uids = Object.entries(kind.fields).flatMap(([name, { shape }]) => {
    const value = inputs[name];
    return shape.is === "uid" && typeof value === "string" && isUid(value) && value !== unknownValue
      ? [{ name, value, of: shape.of }]
      : [];
  });
  const known = [organization ?? "", ...uids.map(({ value }) => value)];
  if (!known.some((uid) => hasPlatformForm(uid))) return [];
  return uids
    .filter(({ value, of }) => (of === "role" ? builtInRole.test(value) : !hasPlatformForm(value)))
    .map(({ name, value, of }) => ({
      property: name,
      reason: `${name} ${literal(value)} is not a whole uid of this platform. Pass the uid of the ${of}, not its name: \`uid\` of its resource or of its data source`,
    }));
}
