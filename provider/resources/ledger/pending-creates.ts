import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { z } from "zod";
import { digest } from "./digest";
import { processState } from "./process-state";

/** Maximum age of a note, in milliseconds: one day. */
const longestAgeMs = 86_400_000;

const noteSchema = z.object({
  /** Digest of machine, folder, platform and stack: creates of another program or stack prove nothing. */
  program: z.string(),
  /** Segment of the kind in the API's paths. Notes of earlier versions have none. */
  kind: z.string().optional(),
  /** The process that sends the create. */
  pid: z.number(),
  /** When the create can no longer be applied, by this machine's clock, in milliseconds since 1970. */
  mayApplyUntil: z.number(),
  /** When it was first sent, and when it can no longer be applied, by the platform's clock. Without them, nothing is proven. */
  since: z.number().optional(),
  until: z.number().optional(),
  /** Digest of the created object's uid, once the platform has answered. */
  uid: z.string().optional(),
  /** Of an update: digests of what it sent, and of what earlier ones did that the state may lack. */
  values: z.array(z.string()).optional(),
});

type Note = z.infer<typeof noteSchema>;

/** A create of another process whose object the state may lack. */
export interface PendingCreate {
  /** Milliseconds during which it may still be applied; 0 once the other process has its answer. */
  readonly timeLeftMs: () => number;
  /** True if it made the object: the process has ended, it ran this program, and uid or creation time match. */
  readonly made: (uid: string, createTime: number) => boolean;
}

/** A create that an earlier process of this program sent and that was never answered: no state has what it made. */
export interface UnansweredCreate {
  /** Segment of its kind in the API's paths. */
  readonly kind: string;
  /** Its note. */
  readonly file: string;
  /** Milliseconds during which it may still be applied. */
  readonly timeLeftMs: number;
  /** True if `key` is its key. */
  readonly isFor: (key: string | undefined) => boolean;
  /** True for an object that was created, by the platform's clock, while it could be applied. */
  readonly made: (uid: string, createTime: number) => boolean;
}

/** What is known of a create that is being sent. */
export interface Sending {
  /** Segment of its kind in the API's paths. */
  readonly kind: string;
  /** The platform's clock now. Default: unknown. */
  readonly serverTime?: number | undefined;
  /** The platform's clock at the first attempt. Default: `serverTime`. */
  readonly firstSent?: number | undefined;
}

/** Where and by whom notes are kept. Tests inject these values. */
export interface PendingCreatesOptions {
  /** Created on first use. Default: none, and nothing is recorded. */
  folder?: string;
  /** The folder of the program. Default: the working directory, in which the engine starts the provider host. */
  program?: string;
  /** Address of the platform: one name on two platforms means two objects. Default: unknown. */
  platform?: string;
  /** Distinguishes the stacks of one program, as far as known. Default: nothing. */
  stack?: string;
  /** Default: the id of this process. */
  pid?: number;
  /** Default: queries the operating system. A process of another user counts as alive. */
  isAlive?: (pid: number) => boolean;
  /** Whether {@link PendingCreates.close} will be called when the engine exits normally. Default: false, and answered creates are dropped at once. */
  closesWithEngine?: boolean;
}

/**
 * The creates that the state may lack: sent but not answered, or answered before the engine saved its state. A killed process leaves
 * them behind, one small file each. The next run waits for those that the platform may still apply, and takes back their objects. A
 * file is named by a digest of the platform and the natural key, and contains no name, uid or value. If no file can be written,
 * nothing is recorded (docs/decisions/0009-creates-without-an-answer-are-noted.md). Updates are recorded in the same way, so that what
 * a killed one has sent is not mistaken for somebody else's change (docs/decisions/0041-compare-before-write.md).
 */
export class PendingCreates {
  readonly #folder: string | undefined;
  readonly #platform: string;
  readonly #program: string;
  readonly #pid: number;
  readonly #isAlive: (pid: number) => boolean;
  readonly #closesWithEngine: boolean;
  /** Keys of the creates and updates of this process that were answered. */
  readonly #answered = new Set<string>();
  /** Names of the files that other processes left behind; undefined before they are read. */
  #leftBehind: Set<string> | undefined;

  constructor(options: PendingCreatesOptions = {}) {
    this.#folder = options.folder;
    this.#platform = options.platform ?? "";
    this.#program = digest(JSON.stringify([hostname(), options.program ?? process.cwd(), this.#platform, options.stack ?? ""]));
    this.#pid = options.pid ?? process.pid;
    this.#isAlive = options.isAlive ?? mayRun;
    this.#closesWithEngine = options.closesWithEngine ?? false;
  }

  /**
   * Records that a create of `key` is being sent.
   *
   * @param forMs how long it may take to be applied, in milliseconds
   */
  sent(key: string, forMs: number, { kind, serverTime, firstSent = serverTime }: Sending): void {
    // The platform's clock is known to the second and as of the last answer: hence twice the time.
    const until = serverTime === undefined ? undefined : serverTime + 2 * forMs;
    this.#write(key, {
      kind,
      mayApplyUntil: Date.now() + forMs,
      ...(firstSent !== undefined && { since: firstSent }),
      ...(until !== undefined && { until }),
    });
  }

  /** Records that the create of `key` made the object `uid`, which the state does not have yet. */
  made(key: string, uid: string): void {
    if (!this.#closesWithEngine) {
      this.forget(key);
      return;
    }
    this.#answered.add(key);
    this.#write(key, { mayApplyUntil: 0, uid: digest(uid) });
  }

  /** Forgets the create of `key`: it created nothing, or nothing that a later run may take back. */
  forget(key: string): void {
    this.#answered.delete(key);
    this.#attempt(() => this.#remove(this.#file(key)));
  }

  /**
   * Records that an update with `key` is sending `values`, besides those that were sent before and that the state may lack.
   *
   * @returns a function to call if the platform rejects them
   */
  sending(key: string, values: readonly string[]): () => void {
    const before = this.#valuesOf(key);
    const note = (all: readonly string[]) => {
      this.#write(key, { mayApplyUntil: 0, values: [...new Set(all)] });
    };
    note([...before, ...values.map(digest)]);
    return () => {
      if (before.length === 0) this.forget(key);
      else note(before);
    };
  }

  /** Records that the platform has answered what `key` stands for. Its note stays until the engine has saved its state. */
  answered(key: string): void {
    if (this.#closesWithEngine) this.#answered.add(key);
    else this.forget(key);
  }

  /** The values that updates of this program with `key` have sent, and that the state may lack. */
  sentWith(key: string): { readonly size: number; has(value: string): boolean } {
    const values = this.#valuesOf(key);
    return { size: values.length, has: (value) => values.includes(digest(value)) };
  }

  /** Forgets what a killed run recorded about the object `uid`: the state has it. */
  isInState(key: string, uid: string): void {
    this.#leftBehind ??= this.#namesOfFiles();
    if (this.#leftBehind.size === 0 || !this.#leftBehind.has(this.#name(key))) return;
    if (this.#read(key)?.uid === digest(uid)) this.forget(key);
  }

  /** Forgets what this process has noted and the platform has answered: the engine exited normally and saved its state. */
  close(): void {
    for (const key of this.#answered) this.forget(key);
  }

  /** The create of `key` that another process left behind. */
  find(key: string, longestMs: number): PendingCreate | undefined {
    const note = this.#read(key);
    if (note === undefined) return undefined;
    const { uid } = note;
    const isOurs = this.#isLeftBehind(note);
    return {
      timeLeftMs: () => timeLeft(this.#read(key), longestMs),
      made: (candidate, createTime) => {
        if (!isOurs) return false;
        return uid === undefined ? wasCreatedBy(note, createTime) : uid === digest(candidate);
      },
    };
  }

  /** A note with the id of this process may be of an earlier run: a plugin can serve several. */
  #valuesOf(key: string): readonly string[] {
    if (this.#isOld(() => this.#file(key))) return [];
    const { program, values = [] } = this.#read(key) ?? {};
    return program === this.#program ? values : [];
  }

  /** The creates of this program that an earlier process sent, and that were never answered. @param longestMs see {@link find} */
  unanswered(longestMs: number): UnansweredCreate[] {
    return [...this.#namesOfFiles()].flatMap((name) => {
      const note = this.#readFile(() => path.join(this.#folder ?? "", name));
      if (note?.kind === undefined || note.uid !== undefined || !this.#isLeftBehind(note)) return [];
      return [
        {
          kind: note.kind,
          file: path.join(this.#folder ?? "", name),
          timeLeftMs: timeLeft(note, longestMs),
          isFor: (key) => key !== undefined && this.#name(key) === name,
          made: (_uid, createTime) => wasCreatedBy(note, createTime),
        },
      ];
    });
  }

  /** True for a note of this program by a process that has ended. */
  #isLeftBehind({ program, pid }: Note): boolean {
    return program === this.#program && pid !== this.#pid && !this.#isAlive(pid);
  }

  #read(key: string): Note | undefined {
    return this.#readFile(() => this.#file(key));
  }

  #readFile(file: () => string): Note | undefined {
    const text = this.#attempt(() => readFileSync(file(), "utf8"));
    if (text === undefined) return undefined;
    const note = this.#attempt(() => noteSchema.parse(JSON.parse(text)));
    // The process was killed while it wrote: the create may be in flight, and nothing is proven.
    return note ?? { program: "", pid: 0, mayApplyUntil: Infinity };
  }

  #write(key: string, note: Omit<Note, "program" | "pid">): void {
    this.#attempt(() => {
      const file = this.#file(key);
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(file, JSON.stringify({ program: this.#program, pid: this.#pid, ...note }), { mode: 0o600 });
    });
  }

  /** Names of the files. Removes those that are too old. */
  #namesOfFiles(): Set<string> {
    const names = this.#attempt(() => readdirSync(this.#folder ?? "")) ?? [];
    for (const name of names) {
      const file = path.join(this.#folder ?? "", name);
      if (this.#isOld(() => file)) this.#remove(file);
    }
    return new Set(names);
  }

  #isOld(file: () => string): boolean {
    return this.#attempt(() => Date.now() - statSync(file()).mtimeMs > longestAgeMs) ?? false;
  }

  #remove(file: string): void {
    this.#attempt(() => {
      rmSync(file, { force: true });
    });
  }

  /** @throws Error if there is no folder */
  #file(key: string): string {
    if (this.#folder === undefined) throw new Error("nothing is recorded");
    return path.join(this.#folder, this.#name(key));
  }

  #name(key: string): string {
    return digest(JSON.stringify([this.#platform, key]));
  }

  /** The result of `work`; undefined if it fails: no create may fail because of a missing file or a full disk. */
  #attempt<Result>(work: () => Result): Result | undefined {
    if (this.#folder === undefined) return undefined;
    try {
      return work();
    } catch {
      return undefined;
    }
  }
}

/** True if an object with this creation time did not exist before `since`; both in milliseconds since 1970. */
export function isSince(createTime: number, since: number): boolean {
  // Some platforms return whole seconds.
  const resolution = createTime % 1_000 === 0 ? 1_000 : 1;
  return createTime >= Math.floor(since / resolution) * resolution;
}

/** Milliseconds during which the create of `note` may still be applied. The clock may have been set back. */
function timeLeft(note: Note | undefined, longestMs: number): number {
  return Math.max(0, Math.min((note?.mayApplyUntil ?? 0) - Date.now(), longestMs));
}

/** True if the create of `note` may have made an object with this creation time. */
function wasCreatedBy({ since, until }: Note, createTime: number): boolean {
  return since !== undefined && until !== undefined && isSince(createTime, since) && createTime <= until;
}

/** True for a process of another user too: it may still be sending. */
function mayRun(pid: number): boolean {
  return processState(pid) !== "ended";
}
