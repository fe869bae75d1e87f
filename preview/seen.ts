import { type Fields, own, type Shape } from "../provider/schema/field";
import { isValues, membersOf, type Path, type Values } from "../provider/schema/values";
import { unknownValue } from "../provider/schema/inputs";

/** The text of every secret in previews. It is the same before and after, so a change is not visible. */
export const hiddenSecret = "[secret]";

/** A value as a preview shows it. `computed`: it is known only after the update. */
export type Seen = { readonly is: "value"; readonly value: unknown } | { readonly is: "computed" } | { readonly is: "secret" };

const hidden: ReadonlyMap<unknown, Seen> = new Map<unknown, Seen>([
  [unknownValue, { is: "computed" }],
  [hiddenSecret, { is: "secret" }],
]);

/** Classifies a value, but not its parts. */
// See docs/decisions/0058-what-a-preview-shows-is-typed.md.
export function seen(value: unknown): Seen {
  return hidden.get(value) ?? { is: "value", value };
}

/** True for a value that the preview shows, even if some of its parts are hidden. */
export function isShown(value: unknown): boolean {
  return !hidden.has(value);
}

/** True if the value or a part of it is hidden. */
export function isHidden(value: unknown): boolean {
  return holds(value, "secret") || holds(value, "computed");
}

/** A value that a preview does not show. */
export interface HiddenValue {
  /** Names from the object down. */
  readonly path: Path;
  readonly reason: string;
}

/**
 * The hidden parts of `value`, which are secrets and values that are not known yet. Secrets that the platform does not show either are
 * left out, and so are references, which are resolved separately.
 *
 * @param around names from the object down to `value`
 */
export function hiddenIn(fields: Fields, value: Values, around: Path = []): HiddenValue[] {
  return Object.entries(value).flatMap(([name, each]): HiddenValue[] => {
    const { shape, traits, by } = own(fields, name) ?? {};
    if (traits?.secret === true || by === "local" || isReference(shape)) return [];
    const path = [...around, name];
    if (shape?.is === "message" && isValues(each)) return hiddenIn(shape.members, each, path);
    return ways.flatMap(([is, reason]) => (holds(each, is, shape) ? [{ path, reason }] : []));
  });
}

const ways = [
  ["secret", "it is a secret, so the preview does not show whether it changes. Pass it as a plain value"],
  ["computed", "it is known only after the update. Pass it as a plain value, or first apply the resource that it comes from"],
] as const;

/** True if the value, or a part other than a computed reference, is hidden in that way. @param shape its shape, if known */
export function holds(value: unknown, is: Exclude<Seen["is"], "value">, shape?: Shape): boolean {
  if (is === "computed" && isReference(shape)) return false;
  const items = shape?.is === "map" ? shape.of : undefined;
  return seen(value).is === is || Object.values(membersOf(value)).some((each) => holds(each, is, items));
}

function isReference(shape: Shape | undefined): boolean {
  return shape?.is === "reference" || shape?.is === "uid";
}
