import { lineageOf, parentOf } from "../provider/client/uid";

/** The places above `uid`, from the top. Every uid contains the uids of the groups around it (docs/platform-api.md#uids). */
export function ancestorsOf(uid: string): string[] {
  return lineageOf(parentOf(uid)).reverse();
}

/** `acme/engineering/ci`; undefined if a name on the way is not known. */
export function pathOf(uid: string, nameOf: (uid: string) => string | undefined): string | undefined {
  const names = [...ancestorsOf(uid), uid].map(nameOf);
  return names.every((name) => name !== undefined && name !== "") ? names.join("/") : undefined;
}
