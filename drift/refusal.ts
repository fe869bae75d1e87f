import { list, printable } from "../provider/client/printable";
import type { EntryScope, ScopeText } from "./entry-scope";
import type { Finding } from "./finding";

/** A finding that matches an entry but stays visible. */
export interface Refused {
  readonly finding: Finding;
  /** The groups that the entry does not cover. */
  readonly outside: NonNullable<Finding["reach"]>;
  /** True where the entry must name the object. */
  readonly isUnnamed: boolean;
}

/** Maximum number of findings in the note on an entry. */
const mostRefused = 3;

/** Why an entry does not hide a matching finding; undefined if it hides the finding. */
export function refusalOf({ object }: ScopeText, scope: EntryScope, finding: Finding): Refused | undefined {
  const outside = scope.outside(finding);
  const isUnnamed = finding.unwatched === true && object === undefined;
  return outside.length > 0 || isUnnamed ? { finding, outside, isUnnamed } : undefined;
}

/** The note on an entry that does not hide the `refused` findings, with the text to write instead. */
export function refusedInWords(refused: readonly Refused[]): string {
  const each = refused.slice(0, mostRefused).map(({ finding: { kind, path, uid }, outside, isUnnamed }) => {
    const places = outside.map((place) => printable(place.path));
    const ways = [
      ...(isUnnamed ? [`write an entry with \`object: ${uid}\``] : []),
      ...(places.length > 0 ? [`add \`within: ${places.length === 1 ? places.join("") : `[${places.join(", ")}]`}\``] : []),
    ];
    const reasons = [
      ...(places.length > 0 ? [`access depends on it in ${list(places)}`] : []),
      ...(isUnnamed ? ["managed role bindings name it, and its login can change unseen"] : []),
    ];
    return `${kind} ${printable(path)}: ${list(reasons)}. To accept that, ${list(ways)}.`;
  });
  const more = refused.length - each.length;
  return `does not hide ${each.join(" Nor ")}${more > 0 ? ` Nor ${more} more.` : ""}`;
}
