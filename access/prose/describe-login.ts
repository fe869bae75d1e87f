import { list, printable } from "../../provider/client/printable";
import { unanalysedKeys } from "../../provider/schema/json-web-keys";
import type { OpenLogin } from "../../provider/schema/open-login";
import { isFormUnknown, type Login, openIn } from "../logins";
import { notKnown, quotedInWords, valueInWords } from "../values";
import { claimsInWords, globOf, issuerInWords, patternInWords, subjectInWords } from "./issuers";

/**
 * Describes for people who can log in: `GitHub acme/shop, branch main`, `Kubernetes service account shop/api at https://…`, `anybody who
 * can run a GitHub Actions workflow, with subject matching "…"`. A value that is not plain is quoted, so that no part of it can pass for
 * the words around it.
 */
export function describeLogin(login: Login): string {
  if (isFormUnknown(login)) return `somebody ${notKnown}`;
  const members = (name: string): Readonly<Record<string, unknown>> | undefined => {
    const value = login[name];
    return typeof value === "object" && value !== null && Object.keys(value).length > 0 ? (value as Login) : undefined;
  };
  const [match, keys, aws, oidc] = ["claimMatch", "staticKeys", "awsIdentity", "oidc"].map(members);
  const open = openIn(login);
  if (match !== undefined) return describeMatch(match, open);
  if (keys !== undefined)
    return `${describeMatch(keys, undefined)}, by keys of its own${keysText(keys["issuerKeys"])}${endText(keys["expirationTime"])}`;
  if (aws !== undefined) return describeAws(aws, open);
  if (oidc !== undefined) return open?.who ?? `people who sign in at ${issuerInWords(textOf(oidc["issuer"]))}`;
  const service = login["servicePrincipal"];
  return service ? `the platform's service ${valueInWords(service)}` : "login unknown: how it logs in is not shown";
}

const knownMembers: ReadonlySet<string> = new Set([
  ...["issuer", "issuerPattern", "subject", "subjectPattern", "audience", "audiences", "audiencePattern"],
  ...["claims", "claimPatterns", "issuerKeys", "expirationTime"],
]);

function describeMatch(match: Login, open: OpenLogin | undefined): string {
  const [issuer, subject] = [textOf(match["issuer"]), textOf(match["subject"])];
  const subjectPattern = textOf(match["subjectPattern"]);
  const more = [
    ...constraint("audience", match["audience"] ?? match["audiences"], match["audiencePattern"]),
    ...claimsInWords(match["claims"], match["claimPatterns"]),
    // Members of a newer platform narrow or widen the match in an unknown way.
    ...Object.entries(match).flatMap(([member, value]) =>
      knownMembers.has(member) || !value ? [] : [`${valueInWords(member)} ${quotedInWords(value)}`],
    ),
  ];
  const and = more.length === 0 ? "" : `, with ${list(more)}`;
  const of = issuer === undefined ? `an issuer matching ${patternInWords(match["issuerPattern"])}` : issuerInWords(issuer);
  if (open !== undefined) {
    const who = open.isKnownService ? open.who : `anybody who has a token of ${of}`;
    const at = open.isKnownService && issuer === undefined ? [`issuer matching ${patternInWords(match["issuerPattern"])}`] : [];
    return printable(`${who}, with ${list([...at, ...constraint("subject", subject, subjectPattern), ...more])}`);
  }
  const known = issuer === undefined ? undefined : subjectInWords(issuer, subject, subjectPattern);
  if (known !== undefined) return printable(`${known}${and}`);
  const said =
    subject === undefined ? `a subject matching ${patternInWords(subjectPattern)}` : `the subject ${quotedInWords(subject)}`;
  return printable(`whoever has ${said} at ${of}${and}`);
}

function keysText(keys: unknown): string {
  const why = typeof keys === "string" ? unanalysedKeys(keys) : undefined;
  return why === undefined ? "" : ` (not analysed, because ${why})`;
}

/** Nobody can log in by these keys afterwards. */
function endText(expirationTime: unknown): string {
  return Number.isNaN(Date.parse(String(expirationTime))) ? "" : ` until ${printable(String(expirationTime))}`;
}

function describeAws(aws: Login, open: OpenLogin | undefined): string {
  const [arn = "", user = ""] = [aws["arnPattern"], aws["userIdPattern"]].map((pattern) => globOf(textOf(pattern) ?? ""));
  // Every session of one role only, because a user id such as `AROA…:*` identifies the role.
  const role = /^arn:aws[\w-]*:sts::\d+:assumed-role\/([^/*]+)\/\*$/.exec(arn)?.[1];
  const callers = list([
    ...constraint("ARN", aws["arn"], aws["arnPattern"]),
    ...constraint("user id", aws["userId"], aws["userIdPattern"]),
  ]);
  const who = role !== undefined && /^(?:\w+:)?\*$/.test(user) ? `role ${valueInWords(role)}` : `callers with ${callers}`;
  if (open !== undefined) return `${open.who}, with ${callers}`;
  return `${who} of AWS account ${valueInWords(aws["awsAccount"])}`;
}

function constraint(name: string, exact: unknown, pattern: unknown): string[] {
  if (exact) return [`${name} ${Array.isArray(exact) ? list(exact.map(valueInWords)) : valueInWords(exact)}`];
  return pattern ? [`${name} matching ${patternInWords(pattern)}`] : [];
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
