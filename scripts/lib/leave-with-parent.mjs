/**
 * Preloaded into a server that must not outlive the command that started it: its standard input is a pipe from there, and when
 * that breaks, in whatever way the command ended, the server is asked to stop.
 */
process.stdin.on("end", () => process.kill(process.pid, "SIGTERM"));
process.stdin.on("error", () => process.kill(process.pid, "SIGTERM"));
process.stdin.resume();
process.stdin.unref();
