import { alternatives, list } from "../client/printable";
import { type IssuerLimits, limitsOf, sharedIssuer } from "./issuer-limits";
import type { OpenLogin } from "./open-login";
import { unanalysed } from "./pattern";
import { type Start, startsOf } from "./pattern-starts";
import { openPrincipal } from "./principal-limits";
import type { SharedIssuer } from "./shared-issuer";
import { areClosed } from "./tenant-part";
import { unknownValue } from "./inputs";
import { isValues, membersOf, ownValue, type Values } from "./values";

/**
 * The parts of a login that let in unintended people, for a custom policy. A login is limited only if this is proven. At an issuer that
 * customers of a service share, its subject or a claim names one of them; at another issuer, its subject is exact or begins with a fixed
 * part.
 *
 * @param login properties of an `Identity` or an `IdentityProvider`, of which `claimMatch`, `awsIdentity` and `oidc` are read
 * @returns nothing for a limited login, and for a login whose deciding part is not known yet
 */
export function openLogins(login: {
  readonly claimMatch?: unknown;
  readonly awsIdentity?: unknown;
  readonly oidc?: unknown;
}): OpenLogin[] {
  const { claimMatch, awsIdentity, oidc } = login;
  return [
    ...(isValues(claimMatch) ? openMatch(claimMatch) : []),
    ...(isValues(awsIdentity) ? openPrincipal(awsIdentity) : []),
    ...(isValues(oidc) ? openSignIn(oidc) : []),
  ];
}

function openMatch(match: Values): OpenLogin[] {
  const [issuer, subject] = [beginningsOf(match, "issuer"), beginningsOf(match, "subject")];
  if (issuer === undefined && subject === undefined) return [];
  const found = issuer === undefined || issuer === "unknown" ? issuer : issuerLimits(match, issuer);
  const isOpen = typeof found === "object" && (found.limits === undefined || found.limits.open.length > 0);
  return [...(isOpen ? [openIssuer(found)] : []), ...openSubject(match, subject, isOpen ? undefined : found)];
}

/** The beginnings that a member of the match, or its pattern, accepts; undefined if neither is set. */
function beginningsOf(match: Values, name: "issuer" | "subject"): Beginnings | "unknown" | undefined {
  const [exact, pattern] = [textOf(match[name]), textOf(match[`${name}Pattern`])];
  if (exact === unknownValue || pattern === unknownValue) return "unknown";
  if (exact !== undefined) return { property: `claimMatch.${name}`, text: exact, starts: whole(exact), isExact: true };
  if (pattern === undefined) return undefined;
  return { property: `claimMatch.${name}Pattern`, text: pattern, starts: startsOf(pattern), isExact: false };
}

interface Beginnings {
  readonly property: string;
  readonly text: string;
  readonly starts: readonly Start[] | undefined;
  readonly isExact: boolean;
}

interface Issuers extends Beginnings {
  /** Undefined if a host is not certain. */
  readonly limits: IssuerLimits | undefined;
}

function issuerLimits(match: Values, issuer: Beginnings): Issuers {
  if (!issuer.isExact) return { ...issuer, limits: issuer.starts && limitsOf(issuer.starts) };
  const service = sharedIssuer(issuer.text);
  return { ...issuer, limits: { shared: service === undefined ? [] : [service], open: [], isOwn: service === undefined } };
}

function openIssuer({ property, text, starts, limits }: Issuers): OpenLogin {
  const [service] = limits?.open ?? [];
  return {
    who: service === undefined ? "anybody who has a token of an issuer that matches" : `anybody who ${service.who}`,
    isKnownService: service !== undefined,
    property,
    why: whyOpen(text, starts, service === undefined ? "a whole host" : "the whole name of a customer"),
    ways: [
      service === undefined
        ? "Set claimMatch.issuer instead, or begin the pattern with a host that a slash or $ closes, such as ^https://login\\.example\\.com/."
        : `Begin it with ^${escaped(shown(service.issuer))} and end the name with a slash or $.`,
      ...dotHint(text),
    ],
    consent: "allowAnyIssuer",
  };
}

/** @param issuers undefined if no issuer is certain, so that claims do not identify anybody */
function openSubject(
  match: Values,
  subject: Beginnings | "unknown" | undefined,
  issuers: Issuers | "unknown" | undefined,
): OpenLogin[] {
  if (subject === "unknown") return [];
  const { shared, isOwn } = (typeof issuers === "object" ? issuers.limits : undefined) ?? { shared: [], isOwn: true };
  const [claims, claimPatterns] = [match["claims"], match["claimPatterns"]];
  const hasClaims = [claims, claimPatterns].some((each) => each === unknownValue || Object.keys(membersOf(each)).length > 0);
  // The claims may name a customer of the issuer.
  if (issuers === "unknown" && hasClaims) return [];
  const service = shared.find((each) => !namesCustomer(each, subject?.starts, claims, claimPatterns));
  if (service === undefined && (!isOwn || isFixed(subject))) return [];
  return [
    {
      who: service === undefined ? "anybody who has a token of this issuer" : `anybody who ${service.who}`,
      isKnownService: service !== undefined,
      property: subject?.property ?? "claimMatch.subject",
      why: subject === undefined ? "Nothing says whose subject it is" : whyOpenSubject(subject, service),
      ways: waysOf(subject, service),
      consent: "allowAnySubject",
    },
  ];
}

function namesCustomer(
  { subjects = [], claims: forms = {} }: SharedIssuer,
  starts: readonly Start[] | undefined,
  claims: unknown,
  patterns: unknown,
): boolean {
  if (areClosed(subjects, starts) || [claims, patterns].includes(unknownValue)) return true;
  return Object.entries(forms).some(([claim, form]) => {
    const [exact, pattern] = [claims, patterns].map((each) => textOf(ownValue(membersOf(each), claim)));
    if (exact === unknownValue || pattern === unknownValue) return true;
    return (
      areClosed([form], exact === undefined ? undefined : whole(exact)) ||
      (pattern !== undefined && areClosed([form], startsOf(pattern)))
    );
  });
}

/** A fixed part at the start of subjects, up to and including its end mark. */
const fixedPart = /^[^:/|@#=;, ]+[:/|@#=;, ]/;

/** True if the subject is exact, or begins with a fixed part. */
function isFixed(subject: Beginnings | undefined): boolean {
  return subject?.starts?.every(({ text, isWhole }) => (isWhole && text !== "") || fixedPart.test(text)) === true;
}

/** The provider where people sign in. They need no subject, because everybody with an account there may sign in. */
function openSignIn({ issuer }: Values): OpenLogin[] {
  const service = typeof issuer === "string" && issuer !== unknownValue ? sharedIssuer(issuer) : undefined;
  if (service === undefined) return [];
  const who = `anybody who ${service.who}`;
  const ways = [
    "Take the issuer of your own directory.",
    "Otherwise give a default role that allows little, and limit the registration there to your own people.",
  ];
  return [{ who, isKnownService: true, property: "oidc.issuer", why: "It is not the issuer of one organisation", ways }];
}

function whyOpenSubject({ text, starts, isExact }: Beginnings, service: SharedIssuer | undefined): string {
  if (isExact) return "Its beginning is not limited to the subjects of one customer";
  return whyOpen(text, starts, service === undefined ? "a fixed part" : "the whole name of a customer");
}

function whyOpen(pattern: string, starts: readonly Start[] | undefined, part: string): string {
  const why = unanalysed(pattern);
  if (why !== undefined) return `It is not analysed, because ${why}`;
  if (starts === undefined) return "Its beginning is not certain: each alternative needs a ^, without flags and without \\Q";
  return `It does not begin with ${part}, followed by its end`;
}

function waysOf(subject: Beginnings | undefined, service: SharedIssuer | undefined): string[] {
  const isPattern = subject?.isExact === false;
  const text = subject?.text ?? "";
  const hints = isPattern ? dotHint(text) : signHint(text);
  if (service === undefined)
    return ["Write the subject exactly, or begin the pattern with ^, a fixed part and its separator, such as ^ci:.", ...hints];
  const forms = service.subjects ?? [];
  const begun = forms.filter((form) => /\*./.test(form)).slice(0, 3);
  const written = begun.map((form) => (isPattern ? `^${escaped(shown(form))}` : shown(form)));
  const claims = Object.keys(service.claims ?? {});
  return [
    ...(written.length > 0 ? [`Begin it with ${alternatives(written)}.`] : []),
    ...(written.length === 0 && forms.length > 0 ? ["Set claimMatch.subject to the whole subject of one account."] : []),
    ...hints,
    ...(claims.length > 0 ? [`Otherwise set the exact value of one of the claims ${list(claims)}.`] : []),
  ];
}

/** The advice for an exact subject in the form of a pattern. */
function signHint(subject: string): string[] {
  return /^\^|\$$/.test(subject)
    ? ["Write a regular expression as claimMatch.subjectPattern, because a subject is compared exactly."]
    : [];
}

/** The advice for an unescaped dot, which does not match only a dot. */
function dotHint(pattern: string): string[] {
  return /(?<!\\)\.(?![*+?{])/.test(pattern) ? ["Write \\. for each dot of a name: a plain one stands for any character."] : [];
}

/** A form of the table for people. */
export function shown(form: string): string {
  return form.replace("*", "NAME").replace("#", "NUMBER").replace("&", "REGION");
}

function escaped(text: string): string {
  return text.replace(/[.?+|(){}[\]\\^$]/g, "\\$&");
}

function whole(text: string): readonly Start[] {
  return [{ text, isWhole: true }];
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
