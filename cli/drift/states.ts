import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { readStates, type StateObjects } from "../../inventory/state";
import { messageOf, PlatformError } from "../../provider/client/errors";
import { list } from "../../provider/client/printable";
import { isAtOrBelow } from "../../provider/client/uid";
import { type Configuration, readConfiguration } from "../../provider/credentials";
import { stackConfiguration, stackState } from "../stack";
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
      state.map(async (file): Promise<[string, string]> => [file === "-" ? "standard input" : file, await readFileOf(file)]),
    ),
  ]);
  const configuration = readConfiguration(configured, process.env);
  return { states: readStates(new Map([...stacks, ...files])), configuration };
}

/** The text of a file; `-` is standard input. @throws PlatformError */
export async function readFileOf(file: string): Promise<string> {
  try {
    return file === "-" ? await text(process.stdin) : await readFile(file, "utf8");
  } catch (error) {
    throw new PlatformError("INVALID_INPUT", `Read ${file}: ${messageOf(error)}`);
  }
}

/** @throws PlatformError if the states have nothing in the organisation */
export function verifyOrganization(states: StateObjects, root: string): void {
  const { managed } = states;
  if (managed.length === 0)
    throw new PlatformError(
      "INVALID_INPUT",
      "The states have no object of the platform: is it the right stack? Nothing was compared.",
    );
  if (managed.some(({ uid }) => uid !== undefined && isAtOrBelow(uid, root))) return;
  const others = organizationsIn(states);
  throw new PlatformError(
    "INVALID_INPUT",
    `The states have no object in ${root}: theirs are in ${others.length === 0 ? "no organisation" : list(others)}. ` +
      "Pass the states of this organisation, or another --root. Nothing was compared.",
  );
}
