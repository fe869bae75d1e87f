import { PlatformError, platformErrorAs } from "../../client/errors";
import { digest, type Journal } from "./journal";

/** A fact about a run of the engine. Each of its providers has a process of its own, and they tell each other facts. */
export type Fact =
  /** A resource of the program owns the object: none but that resource may delete it. */
  | readonly [is: "has", collection: string, uid: string]
  /** A resource is deleting the object: no other one may take it over. */
  | readonly [is: "leaves", collection: string, uid: string]
  /** A group, role or identity is made, renamed or moved, and has this name afterwards. */
  | readonly [is: "gets name", collection: string, name: string];

/** The facts of one run about one platform, as all its processes know them. */
export class Facts {
  /** The facts that only this process knows, because no other one can be told. */
  readonly #untold = new Set<string>();

  /**
   * @param platform API address: another platform may have the same uids
   * @param journal Default: only what is told here is known
   */
  constructor(
    private readonly platform = "",
    private readonly journal?: Journal,
  ) {}

  /** Tells the fact to all processes of the run. Where that cannot be written, it is known in this process only. */
  tell(fact: Fact): void {
    try {
      this.mustTell(fact);
    } catch (error) {
      platformErrorAs(() => this.#untold.add(this.#digest(fact)))(error);
    }
  }

  /** @throws PlatformError `CONFIGURATION` if other processes cannot be told: one may be about to delete the object */
  mustTell(fact: Fact): void {
    const text = this.#digest(fact);
    if (this.journal === undefined) this.#untold.add(text);
    try {
      this.journal?.record(text);
    } catch (error) {
      const why = `another provider could delete ${String(fact.at(-1))}, which this resource takes over. It is left unchanged.`;
      throw unusable("written", error, why);
    }
  }

  /** Withdraws the fact in this process. For the others it holds until the run ends. */
  withdraw(fact: Fact): void {
    const text = this.#digest(fact);
    this.#untold.delete(text);
    this.journal?.withdraw(text);
  }

  /** True if a process of the run has told the fact, as far as that can be read. */
  isKnown(fact: Fact): boolean {
    try {
      return this.mustKnow(fact);
    } catch (error) {
      return platformErrorAs(() => false)(error);
    }
  }

  /** The same. @throws PlatformError `CONFIGURATION` if what other processes have told cannot be read */
  mustKnow(fact: Fact): boolean {
    const text = this.#digest(fact);
    if (this.#untold.has(text)) return true;
    try {
      return this.journal?.has(text) ?? false;
    } catch (error) {
      const why = `${String(fact.at(-1))} may belong to a resource of another provider. It is left unchanged.`;
      throw unusable("read", error, why);
    }
  }

  #digest(fact: Fact): string {
    return digest(JSON.stringify([this.platform, ...fact]));
  }
}

/** The error for a failure of the file system. @throws any other `cause` */
function unusable(how: "read" | "written", cause: unknown, why: string): PlatformError {
  const { code } = cause as NodeJS.ErrnoException;
  if (code === undefined) throw cause;
  const what = `pulumi-platform/journal in Pulumi's home folder cannot be ${how} (${code})`;
  return new PlatformError("CONFIGURATION", `${what}, so ${why} Allow access to it, or set PULUMI_HOME.`, { cause });
}
