import type { Guarded } from "../../access/guarded";
import { organizationsIn } from "../../drift/scope";
import type { PlatformClient } from "../../provider/client/client";
import { readStates, type StateObjects } from "../../inventory/state";
import { PlatformError } from "../../provider/client/errors";
import { list } from "../../provider/client/printable";
import { type Configuration, readConfiguration } from "../../provider/credentials";
import { groupNamed } from "../shell/lookup";
import { readText } from "../shell/files";
import { stackConfiguration, stackState } from "../shell/stack";

/** Options that say which states a command reads. */
export interface StateOptions {
  readonly stack?: readonly string[];
  readonly state?: readonly string[];
}

/** The states that the options name, together, and the configuration: that of the first stack before the environment. @throws PlatformError */
export async function readStatesOf({
  stack = [],
  state = [],
}: StateOptions): Promise<{ states: StateObjects; configuration: Configuration }> {
  const [first] = stack;
  const [configured, stacks, files] = await Promise.all([
    first === undefined ? undefined : stackConfiguration(first),
    Promise.all(stack.map(async (name): Promise<[string, string]> => [`the state of stack ${name}`, await stackState(name)])),
    Promise.all(
      state.map(async (file): Promise<[string, string]> => [file === "-" ? "standard input" : file, await readText(file)]),
    ),
  ]);
  const configuration = readConfiguration(configured, process.env);
  return { states: readStates(new Map([...stacks, ...files])), configuration };
}

/** The identities that must not lose access: that of these credentials, the one configured for runs, and those marked as break-glass. */
export async function guardedBy(
  client: Pick<PlatformClient, "caller">,
  { breakGlass, identity }: Pick<Configuration, "breakGlass" | "identity">,
): Promise<Guarded> {
  const caller = await client.caller().catch(() => undefined);
  return { breakGlass: new Set(breakGlass), own: new Set([caller?.uid, identity].flatMap((uid) => uid ?? [])) };
}

/**
 * The uid of the group to compare.
 *
 * @param given a uid or a path; undefined: the organisation of the configuration, or the only one of the states
 * @throws PlatformError
 */
export async function rootUid(
  client: PlatformClient,
  given: string | undefined,
  configured: string | undefined,
  states: StateObjects,
): Promise<string> {
  if (given !== undefined) return groupNamed(client, "--root", given);
  if (configured !== undefined) return configured;
  const organizations = organizationsIn(states);
  const [only, ...others] = organizations;
  if (only !== undefined && others.length === 0) return only;
  throw new PlatformError(
    "INVALID_INPUT",
    `Which organisation? The states have objects of ${list(organizations)}. Pass --root UID.`,
  );
}
