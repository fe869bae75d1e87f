import { connect } from "node:net";

/**
 * Calls `onGone` when the engine at `address` has died. After SIGKILL, this process would survive and send waiting calls long after the run
 * (docs/contributing/engine.md#killed-runs). The engine closes an idle connection after two minutes, so the engine is gone only if it
 * refuses a connection after it has accepted one.
 *
 * @param address `host:port`
 */
function watch(address: string, onGone: () => void): void {
  const [, host, port] = /^(127\.0\.0\.1|localhost):(\d+)$/.exec(address) ?? [];
  if (host === undefined) return;
  const open = (previous: "none" | "accepted") => {
    const socket = connect({ host, port: Number(port) });
    let [isOpen, isRefused] = [false, false];
    socket.on("connect", () => (isOpen = true));
    socket.on("error", (error: NodeJS.ErrnoException) => (isRefused = error.code === "ECONNREFUSED"));
    socket.on("close", () => {
      if (previous === "accepted" && isRefused) onGone();
      const next = () => open("accepted");
      if (isOpen) setTimeout(next, 100).unref();
    });
    socket.resume().unref();
  };
  open("none");
}

let isWatching = false;

/** True in Pulumi's dynamic provider host. */
export function isProviderHost(): boolean {
  const [, script = ""] = process.argv;
  return /[\\/]cmd[\\/]dynamic-provider\b/.test(script);
}

/**
 * Exits this process with its engine if it is Pulumi's dynamic provider host. Does nothing elsewhere.
 *
 * @param onClose called when the engine exits normally and stops this process, not when the engine was killed
 */
export function endWithEngine(onClose: () => void): void {
  if (isWatching || !isProviderHost()) return;
  isWatching = true;
  endWith(process.argv.at(-1) ?? "", onClose);
}

/**
 * Exits this process with the engine at `address`.
 *
 * @param onClose see {@link endWithEngine}
 */
export function endWith(address: string, onClose: () => void): void {
  watch(address, () => process.exit(1));
  // Ctrl-C in a terminal does not reach this process, because the engine starts it in its own process group.
  process.once("SIGINT", () => {
    onClose();
    process.exit(0);
  });
}
