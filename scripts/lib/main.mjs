import { handleSignals } from "./child.mjs";
import { say } from "./message.mjs";

/**
 * Runs a command's work and ends the process with the returned exit code (none: 0). An error is shown as one plain message.
 * @param onFailure is called after that message, for a last line that is printed in any case.
 */
export async function main(work, onFailure = () => {}) {
  handleSignals();
  try {
    process.exitCode = (await work()) ?? 0;
  } catch (error) {
    say(`\n${error.message}`);
    process.exitCode = error.exitCode ?? 1;
    onFailure();
  }
  process.exit();
}
