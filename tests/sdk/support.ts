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
export function usePlatform(): { readonly platform: TestPlatform; configure: (settings?: Record<string, string>) => void } {
  const { configure } = useStack();
  let started: TestPlatform | undefined;
  const running = (): TestPlatform => {
    if (started === undefined) throw new Error("the platform has not been started");
    return started;
  };
  beforeAll(async () => {
    started = await TestPlatform.start();
    configure({}, started.environment);
  });
  afterAll(() => started?.close());
  return {
    get platform() {
      return running();
    },
    configure: (settings = {}) => {
      configure(settings, running().environment);
    },
  };
}

/** Sets mocks that the data sources take for the monitor of a real run: they ask the platform. */
export async function playEngine(mocks: pulumi.runtime.Mocks, preview = false): Promise<void> {
  await pulumi.runtime.setMocks(mocks, "project", "stack", preview);
  Object.assign(pulumi.runtime.getMonitor() ?? {}, { getChannel: () => undefined });
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
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return plainRefusal(error);
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

/** What the engine would receive of an output. */
export interface Settled<Value> {
  value: Value | undefined;
  isKnown: boolean;
  isSecret: boolean;
}

/** What becomes of `output`. */
export async function settled<Value>(output: pulumi.Output<Value>): Promise<Settled<Value>> {
  const inner = output as unknown as { promise(): Promise<Value>; isKnown: Promise<boolean>; isSecret: Promise<boolean> };
  const [value, isKnown, isSecret] = await Promise.all([inner.promise(), inner.isKnown, inner.isSecret]);
  return { value: isKnown ? value : undefined, isKnown, isSecret };
}
