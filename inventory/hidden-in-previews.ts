import { type Fields, own, type Shape } from "../provider/schema/field";
import type { Path, Values } from "../provider/schema/values";
import { unknownValue } from "../provider/schema/inputs";
import { hiddenSecret } from "./references-in-previews";

/** A value that a preview does not show. */
export interface HiddenValue {
  /** Names from the object down. */
  readonly path: Path;
  readonly reason: string;
}

/**
 * What a preview does not show of `value`: secrets, but for those that the platform does not show either, and what is not known yet.
 *
 * @param around names from the object down to `value`
 */
export function hiddenIn(fields: Fields, value: Values, around: Path = []): HiddenValue[] {
  return Object.entries(value).flatMap(([name, each]): HiddenValue[] => {
    const field = own(fields, name);
    if (field?.traits.secret === true || field?.by === "local") return [];
    const path = [...around, name];
    if (field?.shape.is === "message" && typeof each === "object" && each !== null)
      return hiddenIn(field.shape.members, each as Values, path);
    return [
      ...(holds(each, hiddenSecret) ? [{ path, reason: "it is a secret, so the preview does not show whether it changes" }] : []),
      ...(isPending(each, field?.shape) ? [{ path, reason: "it is known after the update only" }] : []),
    ];
  });
}

function holds(value: unknown, part: string): boolean {
  return (
    value === part || (typeof value === "object" && value !== null && Object.values(value).some((each) => holds(each, part)))
  );
}

/** True for a value of which a part is unknown, except for references: what they mean is found otherwise. */
function isPending(value: unknown, shape: Shape | undefined): boolean {
  if (shape?.is === "reference" || shape?.is === "uid") return false;
  if (value === unknownValue) return true;
  const items = shape?.is === "map" ? shape.of : undefined;
  return typeof value === "object" && value !== null && Object.values(value).some((each) => isPending(each, items));
}
