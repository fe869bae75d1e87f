import { z } from "zod";
import { literal } from "../client/printable";

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

/** The rule of an `audience`. */
export const forAudience = { audience: exactText };

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

/** The form of the names of tags, with at least one `*`. */
export const tags = anyText.refine(
  (value) => /[^*]/.test(value) && value.includes("*") && ref.safeParse(value.replaceAll("*", "x")).success,
  {
    error: 'must be the plain name of tags with a *, such as "v*"; "tag" takes a name without one',
  },
);

/** The pattern for the names of tags of a form, in which `*` stands for any text without a slash. */
export function tagPattern(form: string): string {
  return form.split("*").map(escaped).join("[^/]*");
}
