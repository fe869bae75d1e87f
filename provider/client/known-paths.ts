import { lineageOf } from "./uid";

/** Names of groups by uid, as far as answers to this process have shown them. */
const names = new Map<string, string>();

/** What the platform allows in names of groups. Any other could pass for other words of a message. */
const plainName = /^[\w .-]+$/;

/** Remembers what groups are called. Objects of other collections are in no path of a group. */
export function rememberGroups(
  { segment }: { readonly segment?: string },
  objects: readonly { readonly uid: string; readonly name?: unknown }[],
): void {
  if (segment !== "groups") return;
  for (const { uid, name } of objects) if (typeof name === "string" && plainName.test(name)) names.set(uid, name);
}

/** What messages call a group: its path from the root organisation down where every name in it is known, else its uid. */
export function groupText(uid: string): string {
  const path = lineageOf(uid)
    .reverse()
    .map((each) => names.get(each));
  return path.length === 0 || path.includes(undefined) ? uid : path.join("/");
}
