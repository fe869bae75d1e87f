/**
 * The path of a resource: the types of its parents, its own type and its logical name, which is its URN after the project. Two resources
 * of one stack never share a path.
 */
// See docs/contributing/engine.md#order-of-calls.
export function pathOfUrn(urn: string): string {
  // urn:pulumi:STACK::PROJECT::TYPES::NAME, in which only the name may contain "::".
  return urn.split("::").slice(2).join("::");
}

/** The logical name in a path, for messages: the text after the types. */
export function logicalNameIn(path: string): string {
  return path.slice(path.indexOf("::") + 2);
}
