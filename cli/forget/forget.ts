import type { PlatformClient } from "../../provider/client/client";
import { PlatformError } from "../../provider/client/errors";
import { options, printable } from "../../provider/client/printable";
import { organizationOf } from "../../provider/client/uid";
import { examine } from "../../provider/sight/examination";
import { kindName } from "../../inventory/kinds";
import type { ForgetDocument } from "../documents/forget";
import type { Connection } from "../shell/settings";
import { removeFromState, stackState } from "../shell/stack";
import { type Candidate, Entries } from "./entries";

/** The resources to forget. */
export interface Wanted {
  readonly stack: string;
  /** URNs and uids. */
  readonly named: readonly string[];
  /** Whether to forget their dependents too. */
  readonly withDependents: boolean;
  /** Whether to remove anything; false only shows the evidence. */
  readonly removes: boolean;
}

/** The evidence, and the removed resources. */
export type Forgotten = Omit<ForgetDocument, "version">;
type Resource = Forgotten["resources"][number];

/** The result, and why nothing or not everything was removed. */
export interface Outcome {
  readonly result: Forgotten;
  readonly failure?: PlatformError;
}

/**
 * Removes resources from the state of a stack, if all evidence shows that their objects are gone. Without one piece of the evidence,
 * nothing is removed.
 *
 * @throws PlatformError if the state lacks the resources, or belongs to another platform
 */
export async function forget({ stack, named, withDependents, removes }: Wanted, connection: Connection): Promise<Outcome> {
  const before = new Entries(await stackState(stack), stack);
  const wanted = named.map((each) => before.urnOf(each));
  const all = before.withDependents(wanted);
  const candidates = all.filter((urn) => withDependents || wanted.includes(urn)).map((urn) => before.candidate(urn));
  for (const candidate of candidates) requireSamePlatform(candidate, connection);
  const resources: Resource[] = [];
  for (const candidate of candidates) resources.push(await examined(candidate, connection.client));
  const outcome = (removed: string[], failure?: PlatformError): Outcome => ({
    result: { stack, resources, removed, problems: failure === undefined ? [] : [failure.message] },
    ...(failure !== undefined && { failure }),
  });
  const kept = resources.filter(({ isGone }) => !isGone).map(({ urn }) => urn);
  if (kept.length > 0) return outcome([], notForgotten("Not every sign agrees. Nothing was changed. What stays:", kept));
  const others = all.filter((urn) => !candidates.some((candidate) => candidate.urn === urn));
  const why =
    "Other resources of the state depend on it. Nothing was changed. With --dependents these are examined too, and removed first:";
  if (others.length > 0) return outcome([], notForgotten(why, others));
  if (!removes) return outcome([]);
  const done: string[] = [];
  try {
    await remove(stack, candidates, (urn) => done.push(urn));
    return outcome(done);
  } catch (error) {
    if (!PlatformError.isInstance(error)) throw error;
    return outcome(done, error);
  }
}

function notForgotten(why: string, urns: readonly string[]): PlatformError {
  return new PlatformError("NOT_GONE", `${why}${options(urns)}`);
}

/** A copy of a platform has the same uids and may lack an object that the original has. */
function requireSamePlatform({ urn, address, objects }: Candidate, { configuration }: Connection): void {
  const { baseUrl, organization } = configuration;
  const what = `${printable(urn)}:`;
  if (address !== undefined && address !== baseUrl)
    throw new PlatformError(
      "CONFIGURATION",
      `${what} its state was made at ${printable(address)}, but these settings are for ${baseUrl}. Nothing was changed. Pass the settings of the first address. If that platform only has a new address, run \`pulumi up\` first to store it.`,
    );
  const elsewhere = objects.find(({ uid }) => organization !== undefined && organizationOf(uid) !== organization);
  if (elsewhere !== undefined)
    throw new PlatformError(
      "CONFIGURATION",
      `${what} ${elsewhere.uid} is not in the configured organisation ${String(organization)}. Nothing was changed. Pass the settings of that organisation.`,
    );
}

async function examined({ urn, objects: stated }: Candidate, client: PlatformClient): Promise<Resource> {
  const objects: Resource["objects"] = [];
  for (const each of stated) {
    const signs = [...(await examine(each, client))];
    objects.push({ kind: kindName(each.kind), uid: each.uid, isGone: signs.every(({ agrees }) => agrees), signs });
  }
  // A resource without an object on the platform is outside of this command.
  return { urn, objects, isGone: objects.length > 0 && objects.every(({ isGone }) => isGone) };
}

/**
 * Removes the resources one by one. If an update has changed the state meanwhile, the evidence no longer applies.
 *
 * @throws PlatformError with the text of the engine
 */
async function remove(stack: string, candidates: readonly Candidate[], onRemoved: (urn: string) => void): Promise<void> {
  const now = new Entries(await stackState(stack), stack);
  const uidsOf = ({ objects }: Candidate) => objects.map(({ uid }) => uid).join(" ");
  const changed = candidates.filter((each) => uidsOf(now.candidate(each.urn)) !== uidsOf(each)).map(({ urn }) => urn);
  if (changed.length > 0)
    throw new PlatformError("CHANGED_MEANWHILE", `The state has changed. Nothing was removed. Run again.${options(changed)}`);
  for (const { urn } of candidates) {
    await removeFromState(stack, urn);
    onRemoved(urn);
  }
}
