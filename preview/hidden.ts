import { type Fields, own, type Shape } from "../provider/schema/field";
import type { Path, Values } from "../provider/schema/values";
import { unknownValue } from "../provider/schema/inputs";

/** What stands for a secret in previews: it is the same before and after, so a change is not visible. */
export const hiddenSecret = "[secret]";

/** A value that a preview does not show. */
export interface HiddenValue {
  /** Names from the object down. */
  readonly path: Path;
  readonly reason: string;
}

/**
 * What a preview does not show of `value`: secrets, but for those that the platform does not show either, and what is not known yet.
 * What references mean is found otherwise.
 *
 * @param around names from the object down to `value`
 */
export function hiddenIn(fields: Fields, value: Values, around: Path = []): HiddenValue[] {
  return Object.entries(value).flatMap(([name, each]): HiddenValue[] => {
    const field = own(fields, name);
    if (field?.traits.secret === true || field?.by === "local" || isReference(field?.shape)) return [];
    const path = [...around, name];
    if (field?.shape.is === "message" && typeof each === "object" && each !== null)
      return hiddenIn(field.shape.members, each as Values, path);
    return [
      ...(holds(each, hiddenSecret)
        ? [{ path, reason: "it is a secret, so the preview does not show whether it changes. Pass it as a plain value" }]
        : []),
      ...(holds(each, unknownValue, field?.shape)
        ? [{ path, reason: "it is known after the update only. Pass it as a plain value, or apply what it comes from first" }]
        : []),
    ];
  });
}

/** True if the value is `part`, or has it in it anywhere but in references. @param shape its shape, where it is known */
export function holds(value: unknown, part: string, shape?: Shape): boolean {
  const items = shape?.is === "map" ? shape.of : undefined;
  if (isReference(shape)) return false;
  return (
    value === part ||
    (typeof value === "object" && value !== null && Object.values(value).some((each) => holds(each, part, items)))
  );
}

function isReference(shape: Shape | undefined): boolean {
  return shape?.is === "reference" || shape?.is === "uid";
}
