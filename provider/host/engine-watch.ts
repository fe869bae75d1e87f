import { connect } from "node:net";

/**
 * Calls `onGone` when the engine at `address` has died. An engine killed by SIGKILL leaves the launcher's shell and this process
 * behind, which would send waiting calls long after the run (docs/engine.md#killed-runs). The engine closes an idle connection
 * after two minutes, so only a refused connection counts, and only after an accepted one.
 *
 * @param address `host:port`
 */
function watch(address: string, onGone: () => void): void {
  const [, host, port] = /^(127\.0\.0\.1|localhost):(\d+)$/.exec(address) ?? [];
  if (host === undefined) return;
  const open = (accepted: boolean) => {
    const socket = connect({ host, port: Number(port) });
    let [isOpen, isRefused] = [false, false];
    socket.on("connect", () => (isOpen = true));
    socket.on("error", (error: NodeJS.ErrnoException) => (isRefused = error.code === "ECONNREFUSED"));
    socket.on("close", () => {
      if (accepted && isRefused) onGone();
      const next = () => {
        open(true);
      };
      if (isOpen) setTimeout(next, 100).unref();
    });
    socket.resume().unref();
  };
  open(false);
}

let isWatching = false;

/** Ends this process with the engine that it serves. Does nothing outside Pulumi's dynamic provider host. */
export function endWithEngine([, script = "", ...args]: readonly string[] = process.argv): void {
  if (isWatching || !/[\\/]cmd[\\/]dynamic-provider\b/.test(script)) return;
  isWatching = true;
  watch(args.at(-1) ?? "", () => process.exit(1));
}
