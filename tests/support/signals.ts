/**
 * Sends a signal to one process.
 *
 * @throws RangeError unless `pid` is the id of one process: 0 is the group of the tests themselves (kill(2)), and an empty file reads as 0
 * @throws Error `ESRCH` if it has ended
 */
export function signal(pid: number | undefined, name: NodeJS.Signals): void {
  process.kill(checked(pid), name);
}

/** Sends a signal to a process group, as Ctrl-C in a terminal does. @throws as {@link signal} */
export function signalGroup(leader: number | undefined, name: NodeJS.Signals): void {
  process.kill(-checked(leader), name);
}

/** True for a process that runs, and for one that has ended and was not waited for. @throws RangeError as {@link signal} */
export function isRunning(pid: number | undefined): boolean {
  const one = checked(pid);
  try {
    return process.kill(one, 0);
  } catch {
    return false;
  }
}

function checked(pid = 0): number {
  if (!Number.isSafeInteger(pid) || pid < 2) throw new RangeError(`${pid} is not the id of one process.`);
  return pid;
}
