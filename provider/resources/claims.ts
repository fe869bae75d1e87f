import { createHash } from "node:crypto";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { PlatformError } from "../client/errors";
import { type InCollection, ObjectSet } from "./object-map";

/** What the claims of one run are shared through. Tests pass processes of their own. */
export interface SharedClaimsOptions {
  /** Created when it is needed. */
  folder: string;
  /** Address of the engine that this process serves: processes of other engines share nothing with it. */
  engine: string;
  /** Default: the id of this process. */
  pid?: number;
  /** When the process started, in milliseconds since 1970: ids are used again. Default: that of this process. */
  start?: number;
  /** Default: asks the operating system. */
  isAlive?: (pid: number) => boolean;
}

/**
 * What the host processes of one engine hold. Each explicit provider has a process of its own, so the one that deletes an old logical
 * name is not the one that adopted its object under the new name. Each process writes one file, named by a digest of the engine's
 * address; a line is a digest of platform and object. The file of a process that has ended proves nothing, and is removed.
 */
export class SharedClaims {
  readonly #folder: string;
  readonly #engine: string;
  readonly #pid: number;
  readonly #file: string;
  readonly #isAlive: (pid: number) => boolean;

  constructor(options: SharedClaimsOptions) {
    const { folder, engine, pid = process.pid, start = performance.timeOrigin, isAlive = isRunning } = options;
    this.#folder = folder;
    this.#engine = digest([hostname(), engine]);
    this.#pid = pid;
    this.#file = `${this.#engine}-${pid}-${Math.round(start)}`;
    this.#isAlive = isAlive;
    this.#removeEnded();
  }

  /** @throws Error when the file cannot be written */
  add(claim: string): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    appendFileSync(path.join(this.#folder, this.#file), `${claim}\n`, { mode: 0o600 });
  }

  /** True when a process of this engine made the claim. @throws Error when that cannot be read */
  has(claim: string): boolean {
    return this.#files().some(
      ({ name, engine, isLive }) => engine === this.#engine && isLive && this.#read(name).includes(claim),
    );
  }

  /** Withdraws the claims of this process: it ends. */
  close(): void {
    rmSync(path.join(this.#folder, this.#file), { force: true });
  }

  #files(): { name: string; engine: string | undefined; isLive: boolean }[] {
    return unlessMissing(() => readdirSync(this.#folder), []).map((name) => {
      const [engine, pid] = name.split("-");
      const isOurs = Number(pid) === this.#pid;
      return { name, engine, isLive: isOurs ? name === this.#file : this.#isAlive(Number(pid)) };
    });
  }

  #read(name: string): string {
    return unlessMissing(() => readFileSync(path.join(this.#folder, name), "utf8"), "");
  }

  #removeEnded(): void {
    try {
      for (const { name, isLive } of this.#files()) if (!isLive) rmSync(path.join(this.#folder, name), { force: true });
    } catch {
      // A file that stays proves nothing.
    }
  }
}

/** The objects of one platform that resources of the program hold. */
export class Claims {
  readonly #own = new ObjectSet();

  /**
   * @param platform API address: another platform may have the same uids
   * @param shared Default: only the claims made here count
   */
  constructor(
    private readonly platform: string,
    private readonly shared?: SharedClaims,
  ) {}

  /**
   * Claims the object.
   *
   * @param mustShare whether another process may be about to delete the object
   * @throws PlatformError `CONFIGURATION` when that process cannot know, and must
   */
  add(collection: InCollection, uid: string, mustShare: boolean): void {
    if (this.#own.has(collection, uid)) return;
    try {
      this.shared?.add(this.#claim(collection, uid));
    } catch (error) {
      if (mustShare)
        throw unusable(
          "written",
          error,
          `another provider could delete ${uid}, which this resource takes over. It is left as it is.`,
        );
    }
    this.#own.add(collection, uid);
  }

  /** @throws PlatformError `CONFIGURATION` when the claims of other processes cannot be read */
  has(collection: InCollection, uid: string): boolean {
    if (this.#own.has(collection, uid)) return true;
    try {
      return this.shared?.has(this.#claim(collection, uid)) ?? false;
    } catch (error) {
      throw unusable("read", error, `${uid} may belong to a resource of another provider. It is left as it is.`);
    }
  }

  #claim({ segment }: InCollection, uid: string): string {
    return digest([this.platform, segment, uid]);
  }
}

function unusable(how: string, cause: unknown, why: string): PlatformError {
  const { code = "UNKNOWN" } = cause as NodeJS.ErrnoException;
  const what = `pulumi-platform/claims in Pulumi's home folder cannot be ${how} (${code})`;
  return new PlatformError("CONFIGURATION", `${what}, so ${why} Allow access to it, or set PULUMI_HOME.`, { cause });
}

function unlessMissing<Result>(work: () => Result, missing: Result): Result {
  try {
    return work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return missing;
    throw error;
  }
}

function digest(parts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/** False for a process of another user: the processes of one engine have one user. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
