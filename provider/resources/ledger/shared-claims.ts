import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, type Stats } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { digest } from "./digest";
import { processState } from "./process-state";

/** Where and for which engine a process shares its claims. Tests inject processes. */
export interface SharedClaimsOptions {
  /** Created on first use. */
  folder: string;
  /** Address of the engine that this process serves: processes of other engines share nothing with it. */
  engine: string;
  /** Default: the id of this process. */
  pid?: number;
  /** When the process started, in milliseconds since 1970: ids are used again. Default: that of this process. */
  start?: number;
  /** Default: the name of this machine or container. */
  host?: string;
  /** Default: queries the operating system. The processes of one engine have one user, so one of another user does not count. */
  isAlive?: (pid: number) => boolean;
}

/** The file of a process. */
interface ClaimsFile {
  readonly name: string;
  readonly host: string | undefined;
  readonly engine: string | undefined;
  readonly pid: number;
}

/**
 * The claims of the host processes of one engine. Each explicit provider has a process of its own, so the one that deletes an old
 * logical name is not the one that adopted its object under the new name. Each process writes one file, named by digests of
 * its host and of the engine's address; a line is a claim. The file of a process that has ended proves nothing, and is removed.
 * Containers may share the folder, and cannot see each other's processes, so a file of another host is removed by its age.
 */
export class SharedClaims {
  readonly #folder: string;
  readonly #host: string;
  readonly #engine: string;
  readonly #pid: number;
  readonly #file: string;
  readonly #isAlive: (pid: number) => boolean;
  readonly #own = new Set<string>();
  /** The files of other processes as last read, with size and time of what was read. */
  readonly #read = new Map<string, { stamp: string; claims: ReadonlySet<string> }>();

  constructor(options: SharedClaimsOptions) {
    const {
      folder,
      engine,
      pid = process.pid,
      start = performance.timeOrigin,
      host = hostname(),
      isAlive = isOfThisUser,
    } = options;
    this.#folder = folder;
    this.#host = digest(host);
    this.#engine = digest(engine);
    this.#pid = pid;
    this.#file = `${this.#host}-${this.#engine}-${pid}-${Math.round(start)}`;
    this.#isAlive = isAlive;
    this.#removeEnded();
  }

  /** @throws Error when the file cannot be written */
  add(claim: string): void {
    const append = () => {
      appendFileSync(path.join(this.#folder, this.#file), `${claim}\n`, { mode: 0o600 });
      return true;
    };
    if (!unlessMissing(append, false)) {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      append();
    }
    this.#own.add(claim);
  }

  /** Withdraws a claim in this process. */
  withdraw(claim: string): void {
    this.#own.delete(claim);
  }

  /** True when a process of this engine made the claim. @throws Error when that cannot be read */
  has(claim: string): boolean {
    return this.#own.has(claim) || this.#others().some(({ name }) => this.#claimsIn(name).has(claim));
  }

  /** Withdraws the claims of this process: it ends. */
  close(): void {
    rmSync(path.join(this.#folder, this.#file), { force: true });
    this.#own.clear();
  }

  #files(): ClaimsFile[] {
    return unlessMissing(() => readdirSync(this.#folder), []).map((name) => {
      const [host, engine, pid] = name.split("-");
      return { name, host, engine, pid: Number(pid) };
    });
  }

  /** The files of this engine's other processes. */
  #others(): ClaimsFile[] {
    return this.#files().filter(
      ({ host, engine, pid }) => host === this.#host && engine === this.#engine && pid !== this.#pid && this.#isAlive(pid),
    );
  }

  #claimsIn(name: string): ReadonlySet<string> {
    const file = path.join(this.#folder, name);
    // Taken before the file is read: what is added meanwhile is read again.
    const stamp = unlessMissing(() => stampOf(statSync(file)), "");
    const known = this.#read.get(name);
    if (known?.stamp === stamp) return known.claims;
    const claims = new Set(unlessMissing(() => readFileSync(file, "utf8"), "").split("\n"));
    this.#read.set(name, { stamp, claims });
    return claims;
  }

  #mayBeLive({ name, host, pid }: ClaimsFile): boolean {
    if (host !== this.#host) return Date.now() - statSync(path.join(this.#folder, name)).mtimeMs < longestRunMs;
    // Another file under the id of this process is of one that has ended.
    return pid === this.#pid ? name === this.#file : this.#isAlive(pid);
  }

  #removeEnded(): void {
    try {
      for (const file of this.#files()) if (!this.#mayBeLive(file)) rmSync(path.join(this.#folder, file.name), { force: true });
    } catch {
      // A file that stays proves nothing.
    }
  }
}

/** Longer than any run, in milliseconds. */
const longestRunMs = 86_400_000;

function isOfThisUser(pid: number): boolean {
  return processState(pid) === "running";
}

function unlessMissing<Result>(work: () => Result, missing: Result): Result {
  try {
    return work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return missing;
    throw error;
  }
}

function stampOf({ size, mtimeMs }: Stats): string {
  return `${size} ${mtimeMs}`;
}
