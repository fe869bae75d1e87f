import { z } from "zod";
import { PlatformError } from "../../provider/client/errors";
import { maxPageSize, type OrderBy, type Scope } from "../../provider/client/list";
import { plainText, uid } from "../../provider/resources/inputs";
import { nearestName } from "../../provider/client/nearest-name";

/** What each argument of a function may be, by its name. */
export type ArgumentRules = Readonly<Record<string, z.ZodType>>;

/** Text to compare with. An empty one would be no filter at all to the platform, and select everything. */
export const someText = plainText.min(1, "must not be empty");

/** True or false. */
export const yesOrNo = z.boolean({ error: "must be true or false" });

/** One or more texts, any of which may match. */
export const someTexts = z
  .array(someText, { error: "must be a list" })
  .min(1, "must not be empty; leave it out to select everything");

/** An RFC 3339 time with its zone. */
export const time = z.iso.datetime({ offset: true, error: "must be an RFC 3339 time such as 2026-01-31T12:00:00Z" });

/** One of `names`. */
export function oneOf<Name extends string>(...names: Name[]) {
  return z.enum(names, { error: `must be one of ${names.join(", ")}` });
}

const pageSizeRule = `must be a whole number from 1 to ${maxPageSize}`;

/** What every List can be asked (SPEC §4, API-FACTS §3.1). */
export const scope: { [Name in keyof Scope]-?: z.ZodType<NonNullable<Scope[Name]>> } = {
  descendantsOf: uid,
  childrenOf: uid,
  ancestorsOf: uid,
  inRoot: yesOrNo,
  uids: z.array(uid, { error: "must be a list" }),
  orderBy: z.custom<OrderBy>(
    (value) => typeof value === "string" && /^[A-Za-z_.]+( asc| desc)?$/.test(value),
    'must be a field, alone or followed by "asc" or "desc", such as "created_at desc"',
  ),
  pageSize: z.int({ error: pageSizeRule }).min(1, pageSizeRule).max(maxPageSize, pageSizeRule),
};

/**
 * The arguments `taken` out of `args`, of which those that are undefined count as left out.
 *
 * @param args what the program passed
 * @param names every argument that the function has, for a hint where one is misspelt
 * @throws PlatformError `INVALID_INPUT` that tells everything that is wrong
 */
export function readArguments<Taken extends ArgumentRules>(
  taken: Taken,
  args: object,
  names: readonly string[] = Object.keys(taken),
): z.output<z.ZodObject<Taken>> {
  const parsed = z.strictObject(taken).safeParse(given(args));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((name) => undeclared(name, names))
      : [`${issue.path.join(".")} ${issue.message}.`],
  );
  throw new PlatformError("INVALID_INPUT", [...problems, "Nothing was sent."].join(" "));
}

/** The arguments that have a value. */
export function given(args: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
}

function undeclared(name: string, names: readonly string[]): string {
  return names.includes(name)
    ? `${name} must be left out where uid is given.`
    : `${JSON.stringify(name)} is not an argument of this function; did you mean "${nearestName(name, names).name}"?`;
}
