import type { OpenLogin } from "./open-login";
import { unanalysed } from "./pattern";
import { startsOf } from "./pattern-starts";
import { unknownValue } from "./inputs";
import type { Values } from "./values";

/** The ARN of a session of one role, with any name of the session. */
const sessionOfRole = /^arn:aws[a-z-]*:sts::\d{12}:assumed-role\/[^/]+\//;
/** The unique id of one role, before the name of its session. */
const uniqueId = /^A[A-Z]{3}[A-Z0-9]+:/;

/**
 * The id that IAM Identity Center appends to the name of its roles. `_` precedes it, so no other name of a permission set fits between the
 * literal one and the hexadecimal digits.
 */
const identityCenterId = /(AWSReservedSSO_(?:\w|\\?[+=,.@-])+_)\[(?:0-9a-f|a-f0-9)\](?:\+|\{16\})(?=\/)/g;

/**
 * An AWS form that any principal of its account matches. One narrow member is enough, because a caller must match the ARN and the unique
 * id.
 */
export function openPrincipal(aws: Values): OpenLogin[] {
  const { awsAccount, arn, arnPattern, userId, userIdPattern } = aws;
  if ([arn, arnPattern, userId, userIdPattern].some((each) => each === unknownValue)) return [];
  if (textOf(arn) !== "" || textOf(userId) !== "") return [];
  const [arns, ids] = [textOf(arnPattern), textOf(userIdPattern)];
  // Roles of IAM Identity Center are recognised only if their pattern is analysed at all.
  const names = unanalysed(arns) === undefined ? arns.replaceAll(identityCenterId, "$1id") : arns;
  if (isLimited(names, sessionOfRole) || isLimited(ids, uniqueId)) return [];
  const account = typeof awsAccount === "string" && /^\d{12}$/.test(awsAccount) ? awsAccount : "this number";
  const unread = Object.entries({ arnPattern: arns, userIdPattern: ids }).flatMap(([member, text]) => {
    const why = unanalysed(text);
    return why === undefined ? [] : [`awsIdentity.${member} is not analysed, because ${why}`];
  });
  return [
    {
      who: `anybody in AWS account ${account}`,
      isKnownService: true,
      property: "awsIdentity.arnPattern",
      why: ["Neither it nor awsIdentity.userIdPattern names one role or user", ...unread].join(". "),
      ways: [
        "Begin it with ^arn:aws:sts::ACCOUNT:assumed-role/NAME/, or end it after the name of a user or role.",
        "Otherwise begin awsIdentity.userIdPattern with ^AROA... and a colon.",
      ],
      consent: "allowAnyPrincipal",
    },
  ];
}

/** True if each alternative is one text, or begins like `closed`. */
function isLimited(pattern: string, closed: RegExp): boolean {
  return startsOf(pattern)?.every(({ text, isWhole }) => closed.test(text) || (isWhole && text !== "")) === true;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
