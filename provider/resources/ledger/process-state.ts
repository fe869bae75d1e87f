/** `foreign`: the process runs, or may run, as another user, who does not let this one signal it. */
export type ProcessState = "running" | "foreign" | "ended";

/** The state of the process `pid` of this machine, by the operating system. */
export function processState(pid: number): ProcessState {
  try {
    process.kill(pid, 0);
    return "running";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH" ? "ended" : "foreign";
  }
}
