import { PlatformError } from "../../client/errors";
import { digest } from "./digest";
import { type InCollection, ObjectMap } from "./object-map";
import type { SharedClaims } from "./shared-claims";

/** A fact about a run: what it says, and about which objects. */
export type Fact = readonly (string | number | undefined)[];

/** The facts that the processes of a run tell each other. */
export interface Marks {
  /** Records a fact for all processes of the run. */
  mark(...fact: Fact): void;
  /** True if a process of the run has recorded the fact. A fact that cannot be shared counts in its own process only. */
  isMarked(...fact: Fact): boolean;
}

/** What facts are recorded under: no collection of the platform. */
const marks: InCollection = { segment: "marks of a run" };

/** The objects of one platform that resources of the program hold, and facts about the run, as all its processes know them. */
export class Claims implements Marks {
  readonly #own = new ObjectMap<true>();

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
   * @param options.mustShare whether another process may be about to delete the object. Default: false
   * @throws PlatformError `CONFIGURATION` when that process cannot know, and must
   */
  add(collection: InCollection, uid: string, { mustShare = false } = {}): void {
    if (this.#own.has(collection, uid)) return;
    try {
      this.shared?.add(this.#claim(collection, uid));
    } catch (error) {
      if (mustShare)
        throw unusable(
          "written",
          error,
          `another provider could delete ${uid}, which this resource takes over. It is left unchanged.`,
        );
    }
    this.#own.set(collection, uid, true);
  }

  /** Withdraws the claim in this process. Other processes of the run still see it; they have no reason to delete the object. */
  withdraw(collection: InCollection, uid: string): void {
    this.#own.delete(collection, uid);
    this.shared?.withdraw(this.#claim(collection, uid));
  }

  /** @throws PlatformError `CONFIGURATION` when the claims of other processes cannot be read */
  has(collection: InCollection, uid: string): boolean {
    if (this.#own.has(collection, uid)) return true;
    try {
      return this.shared?.has(this.#claim(collection, uid)) ?? false;
    } catch (error) {
      throw unusable("read", error, `${uid} may belong to a resource of another provider. It is left unchanged.`);
    }
  }

  mark(...fact: Fact): void {
    this.add(marks, JSON.stringify(fact));
  }

  /** Withdraws a fact in this process. For the others it holds until the run ends. */
  unmark(...fact: Fact): void {
    this.withdraw(marks, JSON.stringify(fact));
  }

  isMarked(...fact: Fact): boolean {
    try {
      return this.has(marks, JSON.stringify(fact));
    } catch {
      return false;
    }
  }

  #claim({ segment }: InCollection, uid: string): string {
    return digest(JSON.stringify([this.platform, segment, uid]));
  }
}

function unusable(how: string, cause: unknown, why: string): PlatformError {
  const { code = "UNKNOWN" } = cause as NodeJS.ErrnoException;
  const what = `pulumi-platform/claims in Pulumi's home folder cannot be ${how} (${code})`;
  return new PlatformError("CONFIGURATION", `${what}, so ${why} Allow access to it, or set PULUMI_HOME.`, { cause });
}
