import type { ConstructRequest } from "@pulumi/pulumi/proto/provider_pb";
import * as pulumi from "@pulumi/pulumi";
import * as resources from "@pulumi/pulumi/runtime/resource";
import * as settings from "@pulumi/pulumi/runtime/settings";
import * as state from "@pulumi/pulumi/runtime/state";

/** The parts of Pulumi's SDK on which its own server of components is built, and which its types leave out. */
interface Internals {
  readonly withLocalStorage: <Result>(work: () => Promise<Result>) => Promise<Result>;
  readonly awaitFeatureSupport: () => Promise<void>;
  readonly waitForRPCs: () => Promise<void>;
  readonly hookBindingFromProto: (
    binding: ConstructRequest.ResourceHooksBinding | undefined,
  ) => pulumi.ResourceHookBinding | undefined;
  readonly getMonitor: () => Connection | undefined;
  readonly getEngine: () => Connection | undefined;
}

interface Connection {
  close(): void;
}

const internals = { ...state, ...settings, ...resources } as unknown as Internals;

/** The hooks of a component in the form of its options. */
export const hooksOf = internals.hookBindingFromProto;

/**
 * Runs `work` as a program of the stack in `request`, with connections of its own to the engine at `engine`. Ends when the engine has
 * answered all its calls.
 */
export function asProgram<Result>(request: ConstructRequest, engine: string, work: () => Promise<Result>): Promise<Result> {
  return internals.withLocalStorage(async () => {
    const [project, stack, monitor] = [request.getProject(), request.getStack(), request.getMonitorendpoint()];
    settings.resetOptions(project, stack, request.getParallel(), engine, monitor, request.getDryrun(), request.getOrganization());
    await internals.awaitFeatureSupport();
    pulumi.runtime.setAllConfig(Object.fromEntries(request.getConfigMap().entries()), request.getConfigsecretkeysList());
    try {
      const result = await work();
      await internals.waitForRPCs();
      return result;
    } finally {
      // Calls in progress are answered before the connections close.
      internals.getMonitor()?.close();
      internals.getEngine()?.close();
    }
  });
}
