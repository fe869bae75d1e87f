import { appendFileSync, closeSync, fstatSync, mkdirSync, openSync, readSync, rmSync } from "node:fs";
import { basename, dirname } from "node:path";
import { z } from "zod";
import { tryJson } from "../../client/answer";

/** The form of a {@link Note}. Other members are ignored, since earlier versions wrote `values` into notes of updates. */
export const noteSchema = z.object({
  /** When it was written, by this machine's clock, in milliseconds since 1970. */
  at: z.number(),
  /** Digest of machine, folder, platform and stack: writes of another program or stack prove nothing. */
  program: z.string(),
  /** Segment of the kind in the API's paths. */
  kind: z.string().optional(),
  /** When a create can no longer be applied, by this machine's clock, in milliseconds since 1970. */
  mayApplyUntil: z.number(),
  /** When it was first sent, and when it can no longer be applied, by the platform's clock. Without them, nothing is proven. */
  since: z.number().optional(),
  until: z.number().optional(),
  /** Digest of the created object's uid, once the platform has answered. */
  uid: z.string().optional(),
});

/** A create that the state may lack. */
export type Note = z.infer<typeof noteSchema>;

const lineSchema = z.union([
  z.object({ fact: z.string() }),
  z.object({ key: z.string(), note: noteSchema }),
  z.object({ settled: z.string() }),
  z.object({ ended: z.literal(true) }),
]);

type Line = z.infer<typeof lineSchema>;

/** The process that writes a file. */
export interface Writer {
  /** Digest of the name of its machine or container. */
  readonly host: string;
  /** Digest of the address of the engine that it serves. */
  readonly engine: string;
  readonly pid: number;
}

/** The name of the file that this process writes. @param start when it started, in milliseconds since 1970: ids are used again */
export function fileName({ host, engine, pid }: Writer, start: number): string {
  return `${host}-${engine}-${pid}-${Math.round(start)}`;
}

/** The file of one process in the journal, as far as it was read. It only grows, one line for each change. */
export class JournalFile {
  /** Digests of the facts that hold while the process runs. */
  readonly facts = new Set<string>();
  /** The notes that are not settled, by the digest of what they are about. */
  readonly notes = new Map<string, Note>();
  readonly writer: Writer;
  /** Why it could not be read the last time; undefined if it could. */
  failure: unknown;
  #bytesRead = 0;
  /** True from the begin of a write to its end: one that failed may have left half a line. */
  #isTorn = false;

  constructor(readonly path: string) {
    const [host = "", engine = "", pid] = basename(path).split("-");
    this.writer = { host, engine, pid: Number(pid) };
  }

  /** Reads what was appended since the last time. */
  read(): void {
    let text = "";
    try {
      text = unlessMissing(() => textFrom(this.path, this.#bytesRead), "");
      this.failure = undefined;
    } catch (error) {
      this.failure = error;
    }
    // A line without its end is still being written, or its process was killed before it sent anything.
    const lines = text.slice(0, text.lastIndexOf("\n") + 1);
    this.#bytesRead += Buffer.byteLength(lines);
    for (const line of lines.split("\n")) this.#apply(lineSchema.safeParse(tryJson(line)).data);
  }

  /** @throws Error if it cannot be written */
  append(line: Line, before = ""): void {
    mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
    const start = this.#isTorn ? "\n" : before;
    this.#isTorn = true;
    appendFileSync(this.path, `${start}${JSON.stringify(line)}\n`, { mode: 0o600 });
    this.#isTorn = false;
    this.#apply(line);
  }

  /** Forgets the note with this key. @throws Error if that cannot be written */
  settle(key: string): void {
    // A killed process may have left half a line.
    if (this.notes.has(key)) this.append({ settled: key }, "\n");
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }

  #apply(line: Line | undefined): void {
    if (line === undefined) return;
    if ("fact" in line) this.facts.add(line.fact);
    else if ("note" in line) this.notes.set(line.key, line.note);
    else if ("settled" in line) this.notes.delete(line.settled);
    else this.facts.clear();
  }
}

/** The text of the file from `offset` on. It is ASCII. */
function textFrom(file: string, offset: number): string {
  const descriptor = openSync(file, "r");
  try {
    const buffer = Buffer.alloc(Math.max(0, fstatSync(descriptor).size - offset));
    return buffer.toString("latin1", 0, readSync(descriptor, buffer, 0, buffer.length, offset));
  } finally {
    closeSync(descriptor);
  }
}

/** The result of `work`, or `missing` where there is no such file or folder. @throws Error if it fails otherwise */
export function unlessMissing<Result>(work: () => Result, missing: Result): Result {
  try {
    return work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return missing;
    throw error;
  }
}
