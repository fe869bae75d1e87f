import { createHash } from "node:crypto";
import { readdirSync, rmSync, statSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { fileName, JournalFile, type Note, unlessMissing } from "./journal-file";
import { type ProcessState, processState } from "./process-state";

/** Longer than any run, in milliseconds: what is older proves nothing. */
const longestAgeMs = 86_400_000;

/** Where and for whom a process writes its journal. Tests inject processes. */
export interface JournalOptions {
  /** Created on first use. */
  folder: string;
  /** Address of the engine that this process serves: processes of other engines share no facts with it. Default: none. */
  engine?: string;
  /** Default: the id of this process. */
  pid?: number;
  /** When the process started, in milliseconds since 1970: ids are used again. Default: that of this process. */
  start?: number;
  /** Default: the name of this machine or container. */
  host?: string;
  /** Default: queries the operating system. */
  stateOf?: (pid: number) => ProcessState;
}

/** A note in the journal. */
export interface WrittenNote {
  /** Digest of what it is about. */
  readonly key: string;
  readonly note: Note;
  readonly file: string;
  /** True if another process of this machine wrote it, and has ended. */
  readonly isLeftBehind: boolean;
}

/**
 * The journal of the processes of a run, for each other and for the next run, as digests: facts, which hold while their process
 * runs, and notes of creates, which hold until they are settled. Each process appends to a file of its own, and removes it
 * when it ends; that of a killed one stays, a day at most.
 */
// See docs/decisions/0045-one-journal.md.
export class Journal {
  readonly #folder: string;
  readonly #own: JournalFile;
  readonly #stateOf: (pid: number) => ProcessState;
  readonly #others = new Map<string, JournalFile>();
  /** False until the files of earlier runs that prove nothing any more are removed. */
  #isSwept = false;

  constructor(options: JournalOptions) {
    const { pid = process.pid, start = performance.timeOrigin, host = hostname(), engine = "" } = options;
    this.#folder = options.folder;
    this.#stateOf = options.stateOf ?? processState;
    this.#own = new JournalFile(path.join(this.#folder, fileName({ host: digest(host), engine: digest(engine), pid }, start)));
  }

  /** Records a fact for the processes of this engine. @throws Error if it cannot be written */
  record(fact: string): void {
    if (!this.#own.facts.has(fact)) this.#own.append({ fact });
  }

  /** Withdraws a fact in this process; for the others it holds until this process ends. */
  withdraw(fact: string): void {
    this.#own.facts.delete(fact);
  }

  /** True if a process of this engine has recorded the fact. @throws Error if that cannot be read */
  has(fact: string): boolean {
    if (this.#own.facts.has(fact)) return true;
    const ofThisRun = read(this.#files().filter((file) => this.#isOfThisRun(file)));
    if (ofThisRun.some(({ facts }) => facts.has(fact))) return true;
    const unreadable = ofThisRun.find(({ failure }) => failure !== undefined);
    if (unreadable !== undefined) throw unreadable.failure;
    return false;
  }

  /** Writes a note in place of earlier ones with this key. @throws Error if it cannot be written */
  note(key: string, note: Omit<Note, "at">): void {
    this.#own.append({ key, note: { at: Date.now(), ...note } });
    for (const file of read(this.#files())) file.settle(key);
  }

  /** Forgets the notes with this key, whoever wrote them. @throws Error if that cannot be written */
  settle(key: string): void {
    for (const file of [this.#own, ...read(this.#files())]) file.settle(key);
  }

  /** The notes of the last day with this key that are not settled; all of them without a key. @throws Error if the folder cannot be read */
  notes(key?: string): WrittenNote[] {
    return [this.#own, ...read(this.#files())].flatMap((file) => {
      const isLeftBehind = file !== this.#own && this.#hasEnded(file);
      return [...(key === undefined ? file.notes.keys() : [key])].flatMap((about) => {
        const note = file.notes.get(about);
        return note === undefined || isOld(note.at) ? [] : [{ key: about, note, file: file.path, isLeftBehind }];
      });
    });
  }

  /** The run has ended, and this process may serve another one: its facts hold no longer. */
  endRun(): void {
    try {
      if (this.#own.facts.size > 0) this.#own.append({ ended: true });
    } finally {
      this.#own.facts.clear();
    }
  }

  /** This process ends: only notes that are not settled stay. */
  close(): void {
    try {
      if (this.#own.notes.size === 0) this.#own.remove();
      else this.endRun();
    } catch {
      // The facts of a process that has ended hold no longer anyway.
    }
  }

  /** The files of other processes, as last read. Stale files are removed first. */
  #files(): JournalFile[] {
    const paths = unlessMissing(() => readdirSync(this.#folder), []).map((name) => path.join(this.#folder, name));
    for (const known of this.#others.keys()) if (!paths.includes(known)) this.#others.delete(known);
    for (const each of paths)
      if (each !== this.#own.path && !this.#others.has(each)) this.#others.set(each, new JournalFile(each));
    if (!this.#isSwept) this.#sweep();
    this.#isSwept = true;
    return [...this.#others.values()];
  }

  /** Removes all files that prove nothing any more. */
  #sweep(): void {
    for (const { path: file } of [...this.#others.values()].filter((each) => this.#isVoid(each))) {
      this.#others.delete(file);
      try {
        rmSync(file, { force: true });
      } catch {
        // A file that stays proves nothing.
      }
    }
  }

  /** True if a process that runs for the same engine writes the file. */
  #isOfThisRun({ writer: { host, engine, pid } }: JournalFile): boolean {
    const own = this.#own.writer;
    return host === own.host && engine === own.engine && pid !== own.pid && this.#stateOf(pid) === "running";
  }

  /** True if its process has ended: also one that had the id of this process. Processes of another host or container cannot be seen. */
  #hasEnded({ writer: { host, pid } }: JournalFile): boolean {
    const own = this.#own.writer;
    return host === own.host && (pid === own.pid || this.#stateOf(pid) === "ended");
  }

  #isVoid(file: JournalFile): boolean {
    const isOldFile = unlessMissing(() => isOld(statSync(file.path).mtimeMs), true);
    if (!this.#hasEnded(file)) return isOldFile && file.writer.host !== this.#own.writer.host;
    // After it has ended: it may have written until then.
    file.read();
    return isOldFile || (file.notes.size === 0 && file.failure === undefined);
  }
}

/** The SHA-256 of `text` in hexadecimal: names and uids must not be readable in files that processes share. */
export function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The files, read as far as they can be. */
function read(files: readonly JournalFile[]): readonly JournalFile[] {
  for (const file of files) file.read();
  return files;
}

/** True for a time so long ago that nothing of then proves anything. */
function isOld(at: number): boolean {
  return Date.now() - at > longestAgeMs;
}
