import { lineageOf } from "./uid";

/** Names of groups by uid, from the answers to this process. */
const names = new Map<string, string>();

/** The characters that the platform allows in names of groups. A name with others could pass for other words of a message. */
const plainName = /^[\w .-]+$/;

/** Remembers the names of groups. Objects of other collections are in no path of a group. */
export function rememberGroups(
  { segment }: { readonly segment?: string },
  objects: readonly { readonly uid: string; readonly name?: unknown }[],
): void {
  if (segment !== "groups") return;
  for (const { uid, name } of objects) if (typeof name === "string" && plainName.test(name)) names.set(uid, name);
}

/** The text for a group in messages. It is the path from the root organisation if every name in the path is known, otherwise the uid. */
export function groupText(uid: string): string {
  const path = lineageOf(uid)
    .reverse()
    .map((each) => names.get(each));
  return path.length === 0 || path.includes(undefined) ? uid : path.join("/");
}
