import { bySeverity } from "../access/severity";
import { printable } from "../provider/client/printable";
import { isAtOrBelow } from "../provider/client/uid";
import { EntryScope } from "./entry-scope";
import type { Finding } from "./finding";

/** The member of an entry that a person fills in. An empty one is refused, so no entry accepts anything before somebody answers for it. */
const open = '""';

const head = `# What \`pulumi-platform drift\` found, as an ignore file. Nothing is accepted yet: every entry needs an owner, a reason and an expiry
# (docs/commands/drift.md#the-ignore-file). Read each one: it may be an attack. Repair what should not be there, and delete its entry.
`;

/** The findings that an entry can accept. An unreadable part is none of them, and a settled object needs no entry. */
export function acceptable(findings: readonly Finding[]): Finding[] {
  return findings.filter((each) => each.class !== "unreadable" && each.class !== "settled" && each.known !== true);
}

/**
 * An ignore file for `findings`, with the worst first. Each entry is about one object and its class, and answers for every group in which
 * access depends on the object.
 */
export function ignoreTemplate(findings: readonly Finding[]): string {
  const sorted = acceptable(findings).sort((one, other) => bySeverity(one.severity, other.severity));
  // Two resources may disagree on one object, and one object may have changed in two ways.
  const groups = Map.groupBy(sorted, (each) => `${each.kind} ${each.uid} ${each.class}`);
  const entries = [...groups.values()].flatMap(([worst]) => (worst === undefined ? [] : [entryFor(worst)]));
  return `${head}ignore:${entries.length === 0 ? " []\n" : `\n${entries.join("")}`}`;
}

function entryFor(finding: Finding): string {
  const { class: what, kind, uid, path, severity, message } = finding;
  const outside = new EntryScope({ object: uid }).outside(finding);
  const tops = outside.filter((place) => !outside.some((other) => other.uid !== place.uid && isAtOrBelow(place.uid, other.uid)));
  return [
    `  # ${severity}, ${printable(path)}: ${printable(message)}`.replaceAll(/\s+/g, " ").replace(/^ ?/, "  "),
    `  - object: ${quoted(uid)}`,
    `    kind: ${kind}`,
    `    class: ${what}`,
    ...(tops.length === 0 ? [] : ["    within: # access depends on it in these groups, and those below"]),
    ...tops.map((place) => `      - ${quoted(place.uid)} # ${printable(place.path).replaceAll(/\s+/g, " ")}`),
    `    owner: ${open}`,
    `    reason: ${open}`,
    `    expiry: ${open}`,
    "",
  ].join("\n");
}

/** A text of YAML in double quotes, where every character is literal. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\u0085\u2028\u2029]/g,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
