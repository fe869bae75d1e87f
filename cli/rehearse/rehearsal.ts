import { type Inexact, copyOrganization, type OrganizationCopy } from "../../copy";
import type { Unreadable } from "../../access/snapshot";
import type { PlatformObject } from "../../inventory/objects";
import type { PlatformClient } from "../../provider/client/client";
import { PlatformError } from "../../provider/client/errors";
import { unlessAborted } from "../../provider/client/interruption";
import { type Configuration, readBreakGlass, settings } from "../../provider/credentials";
import { group } from "../../provider/kinds/group";
import { type Outcome, rehearse } from "../../rehearse/rehearsal";
import type { StackSource } from "../../rehearse/private-stack";
import type { SentRequest } from "../../rehearse/calls";
import type { Review } from "../review/review";
import { identityAt } from "../shell/lookup";
import type { Progress } from "../shell/progress";
import { comparisonOf } from "./comparison";
import { readerOf } from "./reader";
import { readStack } from "./stack-source";
import { errorTexts, hiddenLogins, undecidedIn } from "./undecided";

/** The rehearsal that the options ask for. */
export interface Wanted {
  readonly stack?: string;
  readonly as?: string;
  readonly command: readonly string[];
  readonly isOpen: boolean;
  readonly signal: AbortSignal;
}

/** A rehearsed update, compared. */
export interface Rehearsal {
  readonly review: Review;
  readonly outcome: Outcome;
  readonly command: string;
  /** The arguments of `pulumi` in that command. */
  readonly args: readonly string[];
  readonly source: StackSource;
  readonly organizations: readonly string[];
  readonly platform: string;
  /** Of the tokens for the API. */
  readonly audience: string;
  /** The platform's time before the organisation was copied, RFC 3339. */
  readonly since: string;
  readonly requests: readonly SentRequest[];
  readonly before: readonly PlatformObject[];
  readonly after: readonly PlatformObject[];
  /** Uid of the identity that will run the update; undefined if it is not known. */
  readonly identity: string | undefined;
}

/** Rehearses an update. @throws PlatformError if the copies cannot be made, or the engine cannot run */
export async function rehearsalOf(wanted: Wanted, progress: Progress): Promise<Rehearsal> {
  progress.update("Reading the stack...");
  const unless = <Result>(work: Promise<Result>) => unlessAborted(work, wanted.signal, () => "Nothing was rehearsed.");
  const { source, notes } = await unless(readStack(wanted.stack));
  const { connection, plain, standsFor } = readerOf(source.configured);
  const { client, configuration } = connection;
  progress.update("Copying the organisation...");
  const organizations = await rootsOf(client);
  const since = new Date(client.now()).toISOString();
  const caller = (await client.caller())?.uid;
  const writer =
    wanted.as === undefined ? writerOf(configuration, plain, caller) : await identityAt(connection, "--as", wanted.as);
  const copy = await unless(
    copyOrganization({
      client,
      standsInFor: configuration,
      organizations,
      ...(writer !== undefined && { identity: writer }),
    }),
  );
  try {
    const environment = {
      ...process.env,
      ...(wanted.as !== undefined && writer !== undefined && { [settings.identity.environment]: writer }),
    };
    progress.update(`Rehearsing \`pulumi ${wanted.command.join(" ")}\`...`);
    const outcome = await rehearse({
      source,
      folder: process.cwd(),
      command: wanted.command,
      environment,
      copy,
      standsFor,
      isOpen: wanted.isOpen,
      signal: wanted.signal,
    });
    progress.update("Comparing...");
    const own = new Set([caller, writer].flatMap((uid) => uid ?? []));
    const after = copy.now();
    const guarded = { breakGlass: new Set(readBreakGlass(plain, process.env)), own };
    return {
      review: reviewOf({ copy, after, outcome, source, guarded, notes, now: client.now() }),
      outcome,
      command: `pulumi ${wanted.command.join(" ")}`,
      args: wanted.command,
      source,
      organizations,
      platform: configuration.baseUrl,
      audience: configuration.audience,
      since,
      requests: copy.requests(),
      before: copy.before,
      after,
      identity: writer ?? caller,
    };
  } finally {
    await copy.close();
  }
}

interface Facts {
  readonly copy: OrganizationCopy;
  readonly after: readonly PlatformObject[];
  readonly outcome: Outcome;
  readonly source: StackSource;
  readonly guarded: { readonly breakGlass: ReadonlySet<string>; readonly own: ReadonlySet<string> };
  readonly notes: readonly Unreadable[];
  readonly now: number;
}

function reviewOf({ copy, after, outcome, source, guarded, notes, now }: Facts): Review {
  const comparison = comparisonOf({
    before: copy.before,
    after,
    hidden: copy.inexact,
    guarded,
    stateBefore: JSON.stringify(source.state),
    stateAfter: JSON.stringify({ deployment: { resources: outcome.resources } }),
    now,
  });
  const open = [...undecidedIn(outcome, source), ...hiddenLogins(comparison.changes)];
  const undecided = [...notes, ...copy.inexact.map(told), ...open];
  return {
    ...comparison,
    undecided,
    unknown: undecided,
    assumed: [],
    errors: errorTexts(outcome),
    bounds: undecided.length === 0 ? "exact" : "lower",
    reasons: undecided.length === 0 ? [] : ["not everything could be rehearsed"],
  };
}

function told({ what, reason }: Inexact): Unreadable {
  return { what, reason };
}

/** The identity to run the update, as the platform knows it. A read-only run logs in as another one. */
function writerOf(
  { readOnly, identity }: Configuration,
  configured: Readonly<Record<string, string | undefined>>,
  caller: string | undefined,
): string | undefined {
  return configured[settings.identity.key] ?? (readOnly ? process.env[settings.identity.environment] : (identity ?? caller));
}

/** Every organisation that the reader sees, because a program may name any of them. */
async function rootsOf(client: PlatformClient): Promise<[string, ...string[]]> {
  const [first, ...others] = (await client.list(group.collection, { inRoot: true })).map(({ uid }) => uid);
  if (first === undefined)
    throw new PlatformError(
      "NOT_FOUND",
      "These credentials see no organisation, so there is nothing to copy. Give the identity a role that may list groups.",
    );
  return [first, ...others];
}
