import * as pulumi from "@pulumi/pulumi";
import { PlatformError } from "../../provider/client/errors";
import { TestPlatform } from "../support/test-platform";

/** A way to configure the data sources; puts process.env and the stack's configuration back after all tests of a file. */
export function useStack(): { configure: (settings: Record<string, string>, environment?: Record<string, string>) => void } {
  const environment = { ...process.env };
  const cleared = Object.fromEntries(
    Object.entries(environment).filter(([name]) => !/^(PLATFORM_|ACTIONS_ID_TOKEN_)/.test(name)),
  );
  const settings = pulumi.runtime.allConfig();
  afterAll(() => {
    process.env = environment;
    pulumi.runtime.setAllConfig(settings);
  });
  return {
    configure(given, variables = {}) {
      process.env = { ...cleared, ...variables };
      pulumi.runtime.setAllConfig(given);
    },
  };
}

/** A platform for all tests of a file, to which the data sources of the file are configured. */
export function usePlatform(): { platform: TestPlatform; configure: (settings?: Record<string, string>) => void } {
  const stack = useStack();
  const platform = new TestPlatform();
  const configure = (settings = {}) => {
    stack.configure(settings, platform.environment);
  };
  beforeAll(async () => {
    await platform.open();
    configure();
  });
  afterAll(() => platform.close());
  return { platform, configure };
}

/** A resource as the engine receives it. */
export interface Registration extends pulumi.runtime.MockResourceArgs {
  inputs: Record<string, unknown>;
}

/** How a played engine differs from the ordinary. */
interface Play {
  /** The engine's answer for a resource. Default: its inputs, with the uid by which it is read, or else `uid-of-` with its name. */
  newResource?: pulumi.runtime.Mocks["newResource"];
  /** Answers the data sources. Default: with their arguments. */
  call?: pulumi.runtime.Mocks["call"];
  preview?: boolean;
  /** The package takes it for the engine of a real run, not for the mocks of a test: data sources ask the platform. */
  isReal?: true;
}

/** Plays the engine for the program that follows. The list that it returns fills with what the program declares. */
export async function playEngine({ preview = false, ...play }: Play = {}): Promise<Registration[]> {
  const registered: Registration[] = [];
  const ordinary = ({ id, name, inputs }: Registration) => ({
    id: id === undefined || id === "" ? `uid-of-${name}` : id,
    state: inputs,
  });
  const mocks: pulumi.runtime.Mocks = {
    newResource(args: Registration) {
      registered.push(args);
      return (play.newResource ?? ordinary)(args);
    },
    call: play.call ?? (({ inputs }) => inputs as object),
  };
  await pulumi.runtime.setMocks(mocks, "project", "stack", preview);
  if (play.isReal) Object.assign(pulumi.runtime.getMonitor() ?? {}, { getChannel: () => undefined });
  return registered;
}

/**
 * The message of `error`, which must be one that the engine prints without a stack, and end its first line with its code: without that
 * code.
 */
export function plainRefusal(error: unknown): string {
  if (!pulumi.RunError.isInstance(error) || !PlatformError.isInstance(error)) throw new Error(`not refused: ${String(error)}`);
  const [first = "", ...others] = error.message.split("\n");
  const end = ` [${error.code}]`;
  if (!first.endsWith(end)) throw new Error(`no code: ${error.message}`);
  return [first.slice(0, -end.length), ...others].join("\n");
}

/** The {@link plainRefusal} of `work`. */
export async function runErrorOf(work: Promise<unknown>): Promise<string> {
  return plainRefusal(await work.then(() => undefined).catch((reason: unknown) => reason));
}

/** The {@link plainRefusal} of `call`. */
export function refusalOf(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    return plainRefusal(error);
  }
  throw new Error("nothing was refused");
}

/** The query parameters of a logged request, a repeated one as a list. */
export function parametersOf(query: string): Record<string, string | string[]> {
  const parameters = new URLSearchParams(query);
  return Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => {
      const values = parameters.getAll(name);
      return [name, values.length > 1 ? values : (values[0] ?? "")];
    }),
  );
}

/** An output as the engine would receive it. */
export interface Settled<Value> {
  value: Value | undefined;
  isKnown: boolean;
  isSecret: boolean;
}

/** The settled `output`. */
export async function settled<Value>(output: pulumi.Output<Value>): Promise<Settled<Value>> {
  const inner = output as unknown as { promise(): Promise<Value>; isKnown: Promise<boolean>; isSecret: Promise<boolean> };
  const [value, isKnown, isSecret] = await Promise.all([inner.promise(), inner.isKnown, inner.isSecret]);
  return { value: isKnown ? value : undefined, isKnown, isSecret };
}
