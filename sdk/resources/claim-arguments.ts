import { z } from "zod";
import { list, literal } from "../../provider/client/printable";
import type { ArgumentRules } from "../../provider/sources/source";
import { isObject, objectRule, problemsOf } from "../program/arguments";

/** A claim match with an exact issuer and an exact subject. */
export interface ExactClaims {
  readonly issuer: string;
  readonly subject: string;
}

/** A claim match with an exact issuer and a pattern for the subject, which is anchored at both ends. */
export interface PatternClaims {
  readonly issuer: string;
  readonly subjectPattern: string;
}

/** The audience that the claim match requires. */
export interface WithAudience {
  readonly audience: string;
}

/** A login whose tokens may have any audience. */
export interface ForAudience {
  /** Audience of the tokens. Default: the host of the platform's issuer. */
  audience?: string;
}

/** Further claims that tokens must have, exactly. */
export interface WithClaims {
  readonly claims: Readonly<Record<string, string>>;
}

/** Any text. */
export const anyText = z.string({
  error: ({ input }) => (input === undefined || input === null ? "has no value" : "must be a string"),
});

/** Text that the platform compares exactly. `problem` returns its problem. */
export function text(problem: (value: string) => string | undefined): z.ZodType {
  return anyText.superRefine((value, context) => {
    const message = general(value) ?? problem(value);
    if (message !== undefined) context.addIssue({ code: "custom", message });
  });
}

function general(value: string): string | undefined {
  if (value.trim() === "") return "must not be empty";
  if (value !== value.trim() || /\p{Cc}/u.test(value))
    return "must not start or end with white space, nor contain control characters";
  if (/[*?]/.test(value)) return "is compared exactly: * and ? are not wildcards";
  return undefined;
}

/** Text with no rule of its own. */
export const exactText = text(() => undefined);

/** The rule of {@link ForAudience}. */
export const forAudience = { audience: exactText };

/** The audience that the claim match requires, if one is given. */
export function audienceOf({ audience }: ForAudience): Partial<WithAudience> {
  return audience === undefined ? {} : { audience };
}

/** Text of a form, such as an id. @param what the form, for the message */
export function formed(form: RegExp, what: string): z.ZodType {
  return text((value) => (form.test(value) ? undefined : `must be ${what}`));
}

/** A UUID in lower case, as issuers write them. */
export const uuid = formed(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, "a UUID in lower case, without braces");

/** The slug of an organization, a pipeline and the like. */
export const slug = formed(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, "a slug of letters, digits, dots, underscores and hyphens");

/** An https address. The message does not quote it, because it may hold a password. */
export const httpsAddress = anyText.refine((value) => URL.canParse(value) && /^https:\/\/[^\s?#@\\]+$/.test(value), {
  error: "must be an https address without user and query, such as https://gitlab.example.com",
});

/** `text`, escaped so that a pattern matches it literally. */
export function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

/** The plain name of a branch or a tag. */
export const ref = text((value) => {
  const [full, bare] = /^refs\/(?:(?:heads|tags)\/(.+))?/.exec(value) ?? [];
  if (full !== undefined)
    return `must be the plain name, ${bare === undefined ? "" : `${literal(bare)} `}and not ${literal(value)}`;
  return /^\/|\/\/|\.\.|[\s~^:[\\]|[/.]$/.test(value) ? `is not a valid git name: ${literal(value)}` : undefined;
});

/**
 * Accepts the `required` arguments, exactly one of `choices` if there are any, and any of `optional`. Rejects other arguments, and
 * undefined ones, because a missing setting must not decide who may log in.
 */
export function checkArguments(
  call: string,
  given: object | null | undefined,
  required: ArgumentRules,
  { choices = {}, optional = {} }: { readonly choices?: ArgumentRules; readonly optional?: ArgumentRules } = {},
): void {
  const args = given ?? {};
  if (!isObject(args)) throw failure(`${call}: ${objectRule}`);
  const all = { ...required, ...choices, ...optional };
  const names = Object.keys(choices);
  const chosen = names.filter((choice) => choice in args);
  const rules = Object.entries(all).map(([argument, rule]): [string, z.ZodType] =>
    argument in required || argument in args ? [argument, rule] : [argument, rule.optional()],
  );
  const problems = problemsOf(Object.fromEntries(rules), args);
  if (names.length > 0 && chosen.length !== 1) {
    problems.unshift(`set exactly one of ${list(names)}${chosen.length > 1 ? `, not ${list(chosen)}` : ""}.`);
  }
  if (problems.length > 0) throw failure(`${call}: ${problems.join(" ")}`);
}

/** Loads the code for programs only for an error, because commands use this file too. */
function failure(message: string): Error {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- see above
  const { invalid } = require("../program/program-failure") as typeof import("../program/program-failure");
  return invalid(message);
}
