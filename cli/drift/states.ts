import type { Guarded } from "../../access/guarded";
import type { PlatformClient } from "../../provider/client/client";
import { readStates, type StateObjects } from "../../inventory/state";
import { PlatformError } from "../../provider/client/errors";
import { list, literal } from "../../provider/client/printable";
import { isAtOrBelow, organizationOf } from "../../provider/client/uid";
import { type Configuration, readConfiguration } from "../../provider/credentials";
import { readText } from "../shell/files";
import { stackConfiguration, stackState } from "../shell/stack";
import { organizationsIn } from "./root";

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
 * @param isChosen whether the root was named on the command line, so that only that part is wanted
 * @throws PlatformError if the states have nothing in the organisation, or something that would silently not be compared
 */
export function verifyOrganization(states: StateObjects, root: string, isChosen: boolean): void {
  const { managed } = states;
  if (managed.length === 0)
    throw new PlatformError(
      "INVALID_INPUT",
      "The states have no object of the platform: is it the right stack? Nothing was compared.",
    );
  if (managed.some(({ uid }) => uid !== undefined && isAtOrBelow(uid, root))) {
    verifyRest(managed, root, isChosen);
    return;
  }
  const others = organizationsIn(states);
  throw new PlatformError(
    "INVALID_INPUT",
    `The states have no object in ${root}: theirs are in ${others.length === 0 ? "no organisation" : list(others)}. ` +
      "Pass the states of this organisation, or another --root. Nothing was compared.",
  );
}

/** A state of another organisation beside others is a mistake; what is outside of a configured root may be. */
function verifyRest(managed: StateObjects["managed"], root: string, isChosen: boolean): void {
  const outside = (uid: string | undefined) => uid !== undefined && organizationOf(uid) !== organizationOf(root);
  const byStack = Map.groupBy(managed, ({ stack }) => stack);
  const [foreign] = [...byStack].find(([, objects]) => objects.every(({ uid }) => outside(uid))) ?? [];
  if (foreign !== undefined)
    throw new PlatformError(
      "INVALID_INPUT",
      `Stack ${literal(foreign)} has no object in the organisation ${organizationOf(root)}: it belongs to another one. Leave its state out. ` +
        "Nothing was compared.",
    );
  const beside = managed.filter(({ uid }) => uid !== undefined && !isAtOrBelow(uid, root));
  const [first] = beside;
  if (isChosen || first === undefined) return;
  throw new PlatformError(
    "INVALID_INPUT",
    `${beside.length} objects in the states are outside of the configured organisation ${root}, such as ${first.urn} (${first.uid ?? ""}). ` +
      "Pass --root UID to compare one part, and compare each other part in a separate run. Nothing was compared.",
  );
}
