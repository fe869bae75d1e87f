/** A name in the spelling of masks and query parameters. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** True if the mask names the field `name`, or a part of it. */
export function isMasked(mask: readonly string[], name: string): boolean {
  return mask.some((path) => path.split(".", 1).join() === snakeCase(name));
}
