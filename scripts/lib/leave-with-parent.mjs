/**
 * Preloaded into a server that must not outlive the command that started it. Its stdin is a pipe from that command; when the pipe
 * closes, however the command ended, the server gets SIGTERM.
 */
process.stdin.on("end", () => process.kill(process.pid, "SIGTERM"));
process.stdin.on("error", () => process.kill(process.pid, "SIGTERM"));
process.stdin.resume();
process.stdin.unref();
