import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, createReadStream, existsSync, openSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { errorsIn, type RunError } from "./events";

/** Lines of the log that may be errors. The others may be as long as a state. */
const mayBeError = /"severity": ?"error"|"policyEvent"/;

/**
 * Where the engine writes its events. A named pipe, because a file would outlive a kill: the engine filters secrets out of the states in
 * its events, but not out of the debug messages in which SDKs repeat their answers. A file where the system has no such pipes (Windows).
 */
// See docs/contributing/engine.md#a-private-copy-of-a-stack.
export class EventLog {
  private constructor(
    readonly path: string,
    /** Ends the reading of a pipe. @returns its lines */
    private readonly read: () => Promise<readonly string[]>,
  ) {}

  /** Makes a log that nobody has written to yet. */
  static async open(path: string): Promise<EventLog> {
    const { status } = spawnSync("mkfifo", ["-m", "600", path], { stdio: "ignore" });
    if (status !== 0) return new EventLog(path, () => Promise.resolve(linesIn(path)));
    // The engine opens its log for the preview, and again for the update. The end of the preview is not that of the log.
    const keeper = openSync(path, constants.O_RDWR);
    const stream = createReadStream(path, "utf8");
    await once(stream, "open");
    const lines: string[] = [];
    const closed = once(
      createInterface(stream).on("line", (line) => mayBeError.test(line) && lines.push(line)),
      "close",
    );
    return new EventLog(path, async () => {
      closeSync(keeper);
      await closed;
      return lines;
    });
  }

  /** The errors that were written. To be called once, after the engine has ended. */
  async errors(): Promise<RunError[]> {
    return errorsIn((await this.read()).join("\n"));
  }
}

function linesIn(file: string): string[] {
  return existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
}
