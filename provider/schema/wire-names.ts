import { derivedOnce } from "./derived";
import type { Fields } from "./field";

/** A name in the spelling of masks and query parameters. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const namesInMasks = derivedOnce(
  (fields: Fields) => new Map(Object.entries(fields).map(([name, { traits }]) => [snakeCase(traits.wire ?? name), name])),
);

/** The fields that the mask names as a whole or in part. */
export function maskedNames(fields: Fields, mask: readonly string[]): string[] {
  const names = namesInMasks(fields);
  return [...new Set(mask.flatMap((path) => names.get(path.split(".", 1).join()) ?? []))];
}
