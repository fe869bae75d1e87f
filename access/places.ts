/** The places above `uid`, from the top: every uid contains those of the groups around it (docs/platform-api.md#uids). */
export function ancestorsOf(uid: string): string[] {
  const segments = uid.split("/");
  return segments.slice(1).map((_, count) => segments.slice(0, count + 1).join("/"));
}

/** True if what is bound in `place` applies in `uid`: in the same group or below (docs/platform-api.md#inheritance). */
export function appliesIn(uid: string, place: string): boolean {
  return uid === place || uid.startsWith(`${place}/`);
}

/** The group that contains `uid`; undefined for what is in none. */
export function placeOf(uid: string): string | undefined {
  return ancestorsOf(uid).at(-1);
}

/** `acme/engineering/ci`; undefined where a name on the way is not known. */
export function pathOf(uid: string, nameOf: (uid: string) => string | undefined): string | undefined {
  const names = [...ancestorsOf(uid), uid].map(nameOf);
  return names.every((name) => name !== undefined && name !== "") ? names.join("/") : undefined;
}
