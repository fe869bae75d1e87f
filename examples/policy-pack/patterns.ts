import type { PolicyResource, ResourceValidationArgs } from "@pulumi/policy";
import { type IdentityProperties, isA } from "./types";

/** The properties of an identity; undefined for other resources. */
export function identityOf(resource: ResourceValidationArgs | PolicyResource): IdentityProperties | undefined {
  return isA("Identity", resource) ? (resource.props as IdentityProperties) : undefined;
}

/** Every regular expression by which an identity decides who may log in: property and pattern. */
export function patternsOf({ claimMatch, awsIdentity }: IdentityProperties): [property: string, pattern: string][] {
  const all: [string, string | undefined][] = [
    ["claimMatch.issuerPattern", claimMatch?.issuerPattern],
    ["claimMatch.subjectPattern", claimMatch?.subjectPattern],
    ["claimMatch.audiencePattern", claimMatch?.audiencePattern],
    ...Object.entries(claimMatch?.claimPatterns ?? {}).map(([claim, pattern]): [string, string] => [
      `claimMatch.claimPatterns.${claim}`,
      pattern,
    ]),
    ["awsIdentity.arnPattern", awsIdentity?.arnPattern],
    ["awsIdentity.userIdPattern", awsIdentity?.userIdPattern],
  ];
  return all.flatMap(([property, pattern]) => (pattern ? [[property, pattern]] : []));
}

/** True if the pattern must match the whole value, on a platform that anchors patterns and on one that does not. */
export function isAnchored(pattern: string): boolean {
  // `^*` and `^?` make the anchor optional; the flag m lets both anchors match inside the value.
  if (!/^\^(?![*+?{])/.test(pattern) || /\(\?[a-zA-Z]*m/.test(pattern)) return false;
  return /(?<!\\)(\\\\)*\$$/.test(pattern) && !hasOuterAlternative(pattern);
}

/** The text with which every match begins: `repo:acme/` of `^repo:acme/[^:]+:ref:refs/heads/main$`. */
export function literalStart(pattern: string): string {
  if (hasOuterAlternative(pattern)) return "";
  const [literals = ""] = /^(?:\\[^a-zA-Z0-9]|[^\\.[\](){}|^$*+?])*/.exec(pattern.replace(/^\^/, "")) ?? [];
  const next = pattern.replace(/^\^/, "").charAt(literals.length);
  // A character that may repeat or be absent is no fixed text.
  const fixed = "*?{+".includes(next) && next !== "" ? literals.replace(/\\?.$/, "") : literals;
  return fixed.replaceAll("\\", "");
}

/** True for `a|b` outside groups: `^a|b$` is anchored at one end of each only. */
function hasOuterAlternative(pattern: string): boolean {
  const groups = pattern.replaceAll(/\\./g, "").replaceAll(/\[\^?\]?[^\]]*\]/g, "");
  let depth = 0;
  for (const character of groups) {
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (character === "|" && depth === 0) return true;
  }
  return false;
}
