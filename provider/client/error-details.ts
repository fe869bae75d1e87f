import { z } from "zod";
import { quoted } from "./printable";

/** A field of the request that the platform rejects. */
export interface FieldViolation {
  /** Path of the field: `claim_match.issuer`. Empty if the platform names none. */
  readonly field: string;
  /** Why the platform rejects it. */
  readonly description: string;
}

/** A reason why the platform refuses the call now, or a limit that the request has exhausted. */
export interface Violation {
  /** The violated condition, such as `RESOURCE_NOT_EMPTY`. Empty if the platform names none. */
  readonly type: string;
  /** The subject of the violation, such as a uid. Empty if the platform names none. */
  readonly subject: string;
  /** How the condition is violated. */
  readonly description: string;
}

/** The object that an error is about. */
export interface ErrorResource {
  /** The kind of the object, as the platform names it. */
  readonly type: string;
  /** The name of the object, or its uid. */
  readonly name: string;
}

/** A page about an error. */
export interface ErrorLink {
  /** Subject of the page. */
  readonly description: string;
  /** Address of the page. */
  readonly url: string;
}

/**
 * The details of an error besides its message (AIP-193). All texts come from the platform, without secrets and control characters, and are
 * cut if they are too long. Details of other types are dropped.
 */
export interface ErrorDetails {
  /** The reason, as one word of the platform: `NOT_FOUND`. */
  readonly reason: string | undefined;
  /** The service that gives the reason: `iam.platform.example.com`. */
  readonly domain: string | undefined;
  /** The object that the error is about. */
  readonly resource: ErrorResource | undefined;
  /** Invalid fields of the request. Empty if the platform lists none, as are the following lists. */
  readonly fieldViolations: readonly FieldViolation[];
  /** Conditions that must change before the call can succeed. */
  readonly preconditionViolations: readonly Violation[];
  /** The limits that are reached. */
  readonly quotaViolations: readonly Violation[];
  /** Pages with more information. */
  readonly links: readonly ErrorLink[];
}

/** Maximum number of items kept of a list. */
const mostItems = 100;

/** Maximum number of characters of a word, such as a reason. */
const longestWord = 200;

/** Detail types that are understood, by the last part of their name (docs/platform-api.md#error-body). */
const known = /(^|[./])(ErrorInfo|BadRequest|PreconditionFailure|QuotaFailure|ResourceInfo|Help|RetryInfo|RequestInfo)$/;

const word = z
  .string()
  .transform((text) => quoted(text, longestWord))
  .catch("");
const sentence = z
  .string()
  .transform((text) => quoted(text))
  .catch("");
const items = <Item>(schema: z.ZodType<Item>) =>
  z
    .array(z.unknown())
    .transform((all) => all.slice(0, mostItems).flatMap((each) => schema.safeParse(each).data ?? []))
    .catch([]);

/** The members of all types of details. A detail without the name of its type is recognised by its members. */
const detail = z.object({
  "@type": z.string().optional().catch(undefined),
  reason: word,
  domain: word,
  resourceType: word,
  resourceName: sentence,
  fieldViolations: items<FieldViolation>(z.object({ field: word, description: sentence })),
  violations: items<Violation>(z.object({ type: word, subject: word, description: sentence })),
  links: items<ErrorLink>(z.object({ description: sentence, url: sentence })),
  retryDelay: z.string().optional().catch(undefined),
  requestId: word,
});

/** A detail of an error in the platform's form. */
export type WireDetail = z.output<typeof detail>;

/** The known parts of an error's `details`. Other parts are dropped. */
export const wireDetails = z
  .array(z.unknown())
  .transform((all) => all.slice(0, mostItems).flatMap((each) => detail.safeParse(each).data ?? []))
  .transform((all) => all.filter(({ "@type": type }) => type === undefined || known.test(type)))
  .catch([]);

/** `all` in one object, frozen. */
export function detailsOf(all: readonly WireDetail[]): ErrorDetails {
  const about = all.find(({ resourceType, resourceName }) => resourceType || resourceName);
  const quota = all.filter(({ "@type": type = "" }) => type.endsWith("QuotaFailure"));
  return Object.freeze({
    reason: all.map(({ reason }) => reason).find(Boolean),
    domain: all.map(({ domain }) => domain).find(Boolean),
    resource: about && Object.freeze({ type: about.resourceType, name: about.resourceName }),
    fieldViolations: frozen(all.flatMap(({ fieldViolations }) => fieldViolations)),
    preconditionViolations: frozen(all.flatMap((each) => (quota.includes(each) ? [] : each.violations))),
    quotaViolations: frozen(quota.flatMap(({ violations }) => violations)),
    links: frozen(all.flatMap(({ links }) => links)),
  });
}

/** The details of an error without any. */
export const noDetails: ErrorDetails = detailsOf([]);

/** Milliseconds to wait by a `RetryInfo` among `all`. Undefined without one, or if it contains no duration. */
export function retryDelay(all: readonly WireDetail[]): number | undefined {
  // A protobuf Duration in JSON: decimal seconds with the suffix `s`, at most 315,576,000,000 of them.
  const seconds = all.map((each) => /^(\d{1,12}(?:\.\d{1,9})?)s$/.exec(each.retryDelay ?? "")?.[1]);
  const delays = seconds.flatMap((text) => (text === undefined ? [] : [Math.ceil(Number(text) * 1_000)]));
  return delays.length === 0 ? undefined : Math.max(...delays);
}

function frozen<Item extends object>(list: readonly Item[]): readonly Item[] {
  return Object.freeze(list.slice(0, mostItems).map((item) => Object.freeze(item)));
}
