import { list, literal } from "../../provider/client/printable";

/** Members of a claim match, in the order in which people read them. */
const matchOrder = ["issuer", "subject", "audience"];

/**
 * How an identity authenticates, for people: `subject "repo:acme/app" and issuer matching "https://.*"`. Names every member that
 * the platform returns, and tells exact values from patterns.
 */
export function authentication(identity: object): string {
  const { claimMatch, staticKeys, awsIdentity, servicePrincipal }: Partial<Record<string, unknown>> = { ...identity };
  const ways = [
    ...(isMessage(claimMatch) ? [matchText(claimMatch)] : []),
    ...(isMessage(staticKeys) ? [`static keys of ${matchText(without(staticKeys, "issuerKeys"))}`] : []),
    ...(isMessage(awsIdentity) ? [`AWS identity with ${matchText(awsIdentity)}`] : []),
    ...(servicePrincipal ? [`service principal ${literal(servicePrincipal)}`] : []),
  ];
  return ways.length > 0 ? ways.join("; or ") : "(how it authenticates is not shown)";
}

function matchText(match: Record<string, unknown>): string {
  const parts = Object.entries(match).flatMap(([member, value]) => membersOf(member, value));
  const rank = (name: string) => (matchOrder.indexOf(name) + matchOrder.length + 1) % (matchOrder.length + 1);
  return list(parts.sort((one, other) => rank(one.name) - rank(other.name)).map(({ name, text }) => `${name} ${text}`));
}

interface Part {
  name: string;
  text: string;
}

/** `claims` and `claimPatterns` are maps; every member that ends in `Pattern` is a regular expression. */
function membersOf(member: string, value: unknown): Part[] {
  if (value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0)) return [];
  if (member === "claims" || member === "claimPatterns") {
    const isPattern = member === "claimPatterns";
    return Object.entries(value).map(([claim, expected]) => partOf(`claim ${literal(claim)}`, expected, isPattern));
  }
  const name = member.replace(/Pattern$/, "");
  return [partOf(name, value, name !== member)];
}

function partOf(name: string, value: unknown, isPattern: boolean): Part {
  return { name, text: `${isPattern ? "matching " : ""}${literal(value)}` };
}

function isMessage(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

function without(message: Record<string, unknown>, member: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(message).filter(([name]) => name !== member));
}
