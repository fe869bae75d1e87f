import { options } from "../client/printable";
import type { Problem } from "./declaration";
import { unknownValue } from "./inputs";
import { openLogins } from "./login-limits";
import type { OpenLogin } from "./open-login";
import { membersOf, valueAt, type Values, withSortedMembers } from "./values";

/**
 * The parts of a login that let in anybody without the program's consent. A login whose deciding members the state already contains is no
 * problem but a warning, because a newer rule must not block every update of the stack.
 */
export function openProblems(inputs: Values, olds: Values): Problem[] {
  return openLogins(inputs).flatMap((open) => {
    // Another rule rejects a login without any part, so there is no argument to point at.
    const isSet = (valueAt(inputs, open.property.split(".")) ?? "") !== "";
    return isSet && !isAllowed(inputs, open) && !isKnown(inputs, olds, open)
      ? [{ property: open.property, reason: openInWords(open) }]
      : [];
  });
}

/** True if the program consents, or may consent. */
export function isAllowed(inputs: Values, { consent }: OpenLogin): boolean {
  return consent !== undefined && (inputs[consent] === true || inputs[consent] === unknownValue);
}

/** Who may log in, and the remedy, for a message. The texts of the login are not quoted, because a program may hold them as secrets. */
export function openInWords({ property, who, why, ways, consent }: OpenLogin): string {
  const consents = {
    allowAnyIssuer: "if other members of claimMatch decide who may log in",
    allowAnySubject: "if other members of claimMatch decide who may log in",
    allowAnyPrincipal: "if everyone in the account may log in",
  };
  const last = consent === undefined ? [] : [`Set ${consent}: true ${consents[consent]}.`];
  return `${property} lets in ${who}. ${why}.${options([...ways, ...last])}`;
}

/** The members that decide who may log in. An audience does not decide, because anybody can request a token for it. */
const deciding = ["issuer", "issuerPattern", "subject", "subjectPattern", "claims", "claimPatterns"];
const decidingOfAws = ["awsAccount", "arn", "arnPattern", "userId", "userIdPattern"];

function isKnown(inputs: Values, olds: Values, { property }: OpenLogin): boolean {
  const [form = ""] = property.split(".");
  const [is, was] = [membersOf(inputs[form]), membersOf(olds[form])];
  const members = form === "awsIdentity" ? decidingOfAws : deciding;
  return members.every((name) => textOf(is[name]) === textOf(was[name]));
}

function textOf(value: unknown): string {
  const isEmpty =
    value === undefined || value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);
  return isEmpty ? "" : JSON.stringify(value, withSortedMembers);
}
