import type { PlatformClient } from "../../provider/client/client";
import { Run } from "../../provider/resources/run";

/** A run as one process of the engine's host has it. */
export function runOf(client: PlatformClient): Run {
  return new Run(client, false);
}
