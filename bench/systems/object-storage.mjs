import { join } from "node:path";
import { firstLine, start } from "../../scripts/lib/child.mjs";
import { Failure } from "../../scripts/lib/message.mjs";
import { buildWithGo } from "./go-program.mjs";
import { scratch } from "./scratch.mjs";

const program = join(scratch, "object-storage");
const READY_WITHIN_MS = 30_000;

/** The time of each answer, as object storage in the region of a runner takes it. */
export const LATENCY_MS = 20;

/** A stand-in for object storage: gofakes3 in memory, in a process of its own. */
export class ObjectStorage {
  #child;

  /** Builds the stand-in. @returns {Promise<string | undefined>} the reason of a failure, as a sentence */
  static async missing() {
    const why = await buildWithGo("Object storage", { sources: "object-storage", package: ".", program });
    return why && `Object storage is left out: ${why}`;
  }

  static async start() {
    const storage = new ObjectStorage();
    storage.#child = start(program, [`${LATENCY_MS}ms`], { stdio: ["pipe", "pipe", "inherit"] });
    const address = await firstLine(storage.#child, READY_WITHIN_MS);
    if (!address) throw new Failure("The object storage did not start; its message is above.");
    storage.url = `s3://state?region=us-east-1&endpoint=${address}&s3ForcePathStyle=true`;
    return storage;
  }

  stop() {
    return this.#child.stop();
  }
}
