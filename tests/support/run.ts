import type { PlatformClient } from "../../provider/client/client";
import { newRun } from "../../provider/resources/run/new-run";
import type { Run } from "../../provider/resources/run/run";

/** A run as one process of the engine's host has it. */
export function runOf(client: PlatformClient): Run {
  return newRun(client);
}
