import { hostname } from "node:os";
import { digest, type Journal, type WrittenNote } from "./journal";
import type { Note } from "./journal-file";

/** A create of another process whose object the state may lack. */
export interface PendingCreate {
  /** Milliseconds during which it may still be applied; 0 once the other process has its answer. */
  readonly timeLeftMs: () => number;
  /** True if it made the object: the process has ended, it ran this program, and uid or creation time match. */
  readonly made: (uid: string, createTime: number) => boolean;
}

/** A create of an earlier process of this program that was never answered: no state has its object. */
export interface UnansweredCreate extends PendingCreate {
  /** Segment of its kind in the API's paths. */
  readonly kind: string;
  /** The file with its note. */
  readonly file: string;
  /** True if `key` is its key. */
  readonly isFor: (key: string | undefined) => boolean;
}

/** An object that an interrupted create of this program most probably made, and its note. */
export interface LeftBehind {
  /** For messages: `group "team" under P (U)`. */
  readonly object: string;
  readonly uid: string;
  readonly file: string;
}

/** A create that is being sent. */
export interface Sending {
  /** Segment of its kind in the API's paths. */
  readonly kind: string;
  /** How long it may take to be applied, in milliseconds. */
  readonly forMs: number;
  /** The platform's clock now. Default: unknown. */
  readonly serverTime?: number | undefined;
  /** The platform's clock at the first attempt. Default: `serverTime`. */
  readonly firstSent?: number | undefined;
}

/** Whose notes they are. */
export interface NotesOptions {
  /** The folder of the program. Default: the working directory, in which the engine starts the provider host. */
  program?: string;
  /** Address of the platform: one name on two platforms means two objects. Default: unknown. */
  platform?: string;
  /** Distinguishes the stacks of one program, as far as known. Default: nothing. */
  stack?: string;
  /** Whether {@link Notes.close} will be called when the engine exits normally. Default: false, and what was answered is forgotten at once. */
  closesWithEngine?: boolean;
}

/**
 * Creates that the state may lack, because they have no answer or the engine has not saved its state since. The notes of a killed process
 * stay. The next run waits for creates that the platform may still apply, and adopts their objects. If nothing can be written, nothing
 * is noted.
 */
// See docs/decisions/0009-creates-without-an-answer-are-noted.md.
export class Notes {
  readonly #platform: string;
  readonly #program: string;
  readonly #closesWithEngine: boolean;
  /** Keys of the creates of this process that the platform has answered. */
  readonly #answered = new Set<string>();
  /** The notes that other processes left behind; undefined before they are read. */
  #leftBehind: ReadonlySet<string> | undefined;

  /** @param journal undefined: nothing is noted */
  constructor(
    private readonly journal?: Journal,
    { program = process.cwd(), platform = "", stack = "", closesWithEngine = false }: NotesOptions = {},
  ) {
    this.#platform = platform;
    this.#program = digest(JSON.stringify([hostname(), program, platform, stack]));
    this.#closesWithEngine = closesWithEngine;
  }

  /** Notes that a create of `key` is being sent. */
  creating(key: string, { kind, forMs, serverTime, firstSent = serverTime }: Sending): void {
    // The platform's clock is known to the second and as of the last answer: hence twice the time.
    const until = serverTime === undefined ? undefined : serverTime + 2 * forMs;
    this.#write(key, {
      kind,
      mayApplyUntil: Date.now() + forMs,
      ...(firstSent !== undefined && { since: firstSent }),
      ...(until !== undefined && { until }),
    });
  }

  /** Notes that the create of `key` made the object `uid`, which the state does not have yet. */
  created(key: string, uid: string): void {
    if (!this.#closesWithEngine) {
      this.forget(key);
      return;
    }
    this.#write(key, { mayApplyUntil: 0, uid: digest(uid) });
    this.#answered.add(key);
  }

  /** Forgets the create of `key`. The state has its object, or it made none that a later run may adopt. */
  forget(key: string): void {
    this.#answered.delete(key);
    this.#attempt((journal) => {
      journal.settle(this.#about(key));
    });
  }

  /** Forgets what a killed run noted about the object `uid`: the state has it. */
  isInState(key: string, uid: string): void {
    if (!this.#isLeftBehind(key)) return;
    if (this.#find(key).some(({ note }) => note.uid === digest(uid))) this.forget(key);
  }

  /** Notes that a resource has or takes over the object `uid`, which a killed run may have made: the state has it, or gets it. */
  takenOver(key: string, uid: string): void {
    if (this.#isLeftBehind(key)) this.created(key, uid);
  }

  /** Forgets the answered creates. The engine exited normally and saved its state. */
  close(): void {
    for (const key of this.#answered) this.forget(key);
  }

  /** The create of `key` that another process left behind. @param longestMs what `timeLeftMs` returns at most */
  find(key: string, longestMs: number): PendingCreate | undefined {
    const written = this.#find(key);
    if (written.length === 0) return undefined;
    const evidence = written.filter((each) => this.#isOurs(each)).map(({ note }) => madeBy(note));
    return {
      timeLeftMs: () => Math.max(0, ...this.#find(key).map(({ note }) => timeLeft(note, longestMs))),
      made: (uid, createTime) => evidence.some((made) => made(uid, createTime)),
    };
  }

  /** The creates of earlier processes of this program that were never answered. @param longestMs see {@link find} */
  unanswered(longestMs: number): UnansweredCreate[] {
    const all = this.#attempt((journal) => journal.notes()) ?? [];
    return all.flatMap((written) => {
      const { key, note, file } = written;
      if (note.kind === undefined || note.uid !== undefined || !this.#isOurs(written)) return [];
      const isFor = (other: string | undefined) => other !== undefined && this.#about(other) === key;
      return [{ kind: note.kind, file, isFor, timeLeftMs: () => timeLeft(note, longestMs), made: madeBy(note) }];
    });
  }

  /** True for a note of this program by a process that has ended. */
  #isOurs({ note, isLeftBehind }: WrittenNote): boolean {
    return isLeftBehind && note.program === this.#program;
  }

  /** True if another process had left a note with this key when this one first asked. */
  #isLeftBehind(key: string): boolean {
    this.#leftBehind ??= new Set(this.#attempt((journal) => journal.notes().map(({ key: about }) => about)));
    return this.#leftBehind.has(this.#about(key));
  }

  #find(key: string): readonly WrittenNote[] {
    return this.#attempt((journal) => journal.notes(this.#about(key))) ?? [];
  }

  #write(key: string, note: Omit<Note, "program" | "at">): void {
    this.#attempt((journal) => {
      journal.note(this.#about(key), { program: this.#program, ...note });
    });
  }

  #about(key: string): string {
    return digest(JSON.stringify([this.#platform, key]));
  }

  /** The result of `work`; undefined if the journal cannot be used: no create may fail because of a missing file or a full disk. */
  #attempt<Result>(work: (journal: Journal) => Result): Result | undefined {
    if (this.journal === undefined) return undefined;
    try {
      return work(this.journal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error;
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
function timeLeft({ mayApplyUntil }: Note, longestMs: number): number {
  return Math.max(0, Math.min(mayApplyUntil - Date.now(), longestMs));
}

/** True for the object that the create of `note` made: it has the answered uid or, without an answer, is of that time. */
function madeBy({ uid, since, until }: Note): PendingCreate["made"] {
  if (uid !== undefined) return (candidate) => uid === digest(candidate);
  if (since === undefined || until === undefined) return () => false;
  return (_uid, createTime) => isSince(createTime, since) && createTime <= until;
}
