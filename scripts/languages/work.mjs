import { run } from "../lib/child.mjs";
import { announce, Failure } from "../lib/message.mjs";

/** Runs commands one after another, within a common time limit. */
export class Work {
  #end;

  /** @param minutes the limit for all commands together */
  constructor(language, minutes) {
    this.language = language;
    this.minutes = minutes;
    this.#end = Date.now() + minutes * 60_000;
  }

  /** Runs a command and returns its output. @throws {Failure} with its output if it fails or the time is up */
  async run(what, command, args, options = {}) {
    const name = `${this.language}: ${what}`;
    const timeoutMs = Math.max(1, this.#end - Date.now());
    const { code, output, stdout, timedOut } = await announce(name, () =>
      run(command, args, { ...options, capture: true, timeoutMs }),
    );
    if (timedOut) throw new Failure(`${name}: stopped, because ${this.language} has ${this.minutes} minutes.\n${tail(output)}`);
    if (code !== 0) throw new Failure(`${name}: exit code ${code}.\n${tail(output)}`);
    return stdout;
  }
}

const tail = (output) => output.trimEnd().split("\n").slice(-30).join("\n");
