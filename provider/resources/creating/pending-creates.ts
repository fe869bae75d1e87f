import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { WireObject } from "../../client/collection";
import { hasCode } from "../../client/errors";
import type { Inputs, Kind } from "../../kinds/kind";
import type { Run } from "../run";
import { currentHolders } from "./natural-key";

/** How often an unanswered create is looked for, in milliseconds. */
const pollMs = 1_000;

/**
 * The creates that were sent and have no answer yet, one small file each, which a process that is killed leaves behind: the platform may
 * still apply them after the next run has listed, and where names are not unique that run would make a double. A file is named by
 * a digest of the natural key, and holds the time until which the create may be applied. Where no file can be written, nothing
 * is remembered.
 */
export class UnansweredCreates {
  /** @param folder where the files lie, made when it is needed; undefined remembers nothing */
  constructor(private readonly folder?: string) {}

  /** Notes that a create of `key` is being sent, and may be applied for `forMs` milliseconds. */
  sent(key: string, forMs: number): void {
    this.#attempt(key, (file) => {
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(file, String(Date.now() + forMs));
    });
  }

  /** Forgets the create of `key`. */
  answered(key: string): void {
    this.#attempt(key, (file) => {
      rmSync(file, { force: true });
    });
  }

  /** Milliseconds for which a create of `key` by another process may still be applied, 0 when no more; undefined when none is known. */
  timeLeft(key: string, atMost: number): number | undefined {
    const until = this.#attempt(key, (file) => Number(readFileSync(file, "utf8")));
    if (until === undefined) return undefined;
    // What is not a time was being written by a process that was killed just then; a clock may have been set back.
    return Math.max(0, Math.min(Number.isNaN(until) ? atMost : until - Date.now(), atMost));
  }

  #attempt<Result>(key: string, work: (file: string) => Result): Result | undefined {
    if (this.folder === undefined) return undefined;
    try {
      return work(path.join(this.folder, createHash("sha256").update(key).digest("hex")));
    } catch {
      // No such file, or a disk that is full or may not be written: no create fails for that.
      return undefined;
    }
  }
}

/**
 * The objects that hold the natural key once a create which another run left unanswered has been applied, or no longer can be.
 *
 * @returns undefined when no such create is known
 */
export async function holdersOfUnanswered<Wire extends WireObject>(
  run: Run,
  kind: Kind<Wire>,
  inputs: Inputs,
  key: string,
): Promise<Wire[] | undefined> {
  const { attemptMs } = run.client.timing;
  const end = performance.now() + attemptMs;
  let left = run.unanswered.timeLeft(key, attemptMs);
  if (left === undefined) return undefined;
  for (;;) {
    const holders = await currentHolders(run, kind, inputs).catch((error: unknown) => {
      if (hasCode(error, "PERMISSION_DENIED")) return [];
      throw error;
    });
    if (holders.length > 0 || left === 0) return holders;
    await sleep(Math.min(left, pollMs));
    left = performance.now() >= end ? 0 : (run.unanswered.timeLeft(key, attemptMs) ?? 0);
  }
}
