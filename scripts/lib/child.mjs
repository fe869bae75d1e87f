import { spawn } from "node:child_process";
import { clearInterval, setInterval } from "node:timers";
import { Failure, Interrupted } from "./message.mjs";
import { descendantsOf, sessionOf } from "./process-table.mjs";

/** Time for a child to end after a signal, because the engine finishes calls in progress. */
const GRACE_MS = 30_000;
/** npm forwards a signal that the terminal has already sent to everyone. A signal within this time is the same one. */
const SAME_SIGNAL_MS = 1_000;

const PARENT_POLL_MS = 300;

/** Children that get the signals of this command. */
const interruptible = new Set();
const sleepers = new Set();
let stopSignal;
let lastSignalAt = 0;

/**
 * Forwards SIGINT, SIGTERM and SIGHUP to the children, and makes every wait throw Interrupted. The end of the parent process is treated as
 * SIGTERM, because npm starts this command through a shell, which forwards nothing when it is terminated.
 */
export function handleSignals() {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => interrupt(signal));
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    interrupt("SIGTERM");
  }, PARENT_POLL_MS).unref();
}

function interrupt(signal) {
  if (Date.now() - lastSignalAt < SAME_SIGNAL_MS) return;
  lastSignalAt = Date.now();
  stopSignal ??= signal;
  for (const wake of sleepers) wake();
  for (const child of interruptible) child.interrupt(signal);
}

/** @throws {Interrupted} after a signal has asked this command to stop. */
export function throwIfInterrupted() {
  if (stopSignal) throw new Interrupted(stopSignal);
}

/** Waits. @throws {Interrupted} as soon as a signal comes. */
export async function sleep(milliseconds) {
  throwIfInterrupted();
  let wake;
  await new Promise((resolve) => {
    wake = resolve;
    sleepers.add(wake);
    setTimeout(resolve, milliseconds);
  });
  sleepers.delete(wake);
  throwIfInterrupted();
}

/** Kills a process and all its descendants. */
function killTree(pid) {
  for (const each of [pid, ...descendantsOf(pid)]) signalTo(each, "SIGKILL");
}

function signalTo(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended already.
  }
}

/**
 * Starts a child. By default it gets its own process group, so that a signal reaches it once, from here. `terminal: true` keeps it in this
 * group for a program that asks questions, so that the terminal sends it Ctrl-C. `outlivesSignals: true` is for a server that others still
 * need while they stop.
 * @returns {{ process, ended: Promise<number>, stop: () => Promise<void> }} `ended` resolves to the exit code, 128 + n after signal n.
 */
export function start(command, args, { terminal = false, outlivesSignals = false, ...options } = {}) {
  const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"], ...options, detached: !terminal });
  const target = () => (terminal ? child.pid : -child.pid);
  let killer;
  const ask = (signal) => {
    if (child.pid === undefined) return;
    signalTo(target(), signal);
    killer ??= setTimeout(() => killTree(child.pid), GRACE_MS);
  };
  const entry = { interrupt: (signal) => (terminal && signal === "SIGINT" ? undefined : ask("SIGINT")) };
  if (!outlivesSignals) interruptible.add(entry);
  const ended = new Promise((resolve, reject) => {
    child.once("error", (cause) => reject(new Failure(`${command} cannot be started: ${cause.message}`)));
    child.once("close", (code, signal) => resolve(code ?? new Interrupted(signal).exitCode));
  }).finally(() => {
    clearTimeout(killer);
    interruptible.delete(entry);
    // A killed engine leaves its host processes behind.
    if (!terminal && child.pid !== undefined) for (const left of sessionOf(child.pid)) signalTo(left, "SIGKILL");
  });
  ended.catch(() => {}); // Callers that await it see the failure; others need not.
  const stop = async () => {
    ask("SIGTERM");
    await ended.catch(() => {});
  };
  return { process: child, ended, stop };
}

/**
 * Runs a child to its end, with `capture` to read its output. Stops it after `timeoutMs`.
 * @returns {Promise<{ code: number, output: string, stdout: string, timedOut: boolean }>} `output` contains stdout and stderr, in order of
 * arrival
 * @throws {Interrupted} after a signal.
 */
export async function run(command, args, { capture = false, timeoutMs, ...options } = {}) {
  throwIfInterrupted();
  let timedOut = false;
  const child = start(command, args, capture ? { ...options, stdio: ["ignore", "pipe", "pipe"] } : options);
  const { stdout, stderr } = child.process;
  const chunks = [];
  for (const stream of [stdout, stderr]) stream?.on("data", (chunk) => chunks.push({ stream, chunk }));
  const textOf = (parts) => Buffer.concat(parts.map(({ chunk }) => chunk)).toString("utf8");
  const stop = () => {
    timedOut = true;
    void child.stop();
  };
  const timer = timeoutMs === undefined ? undefined : setTimeout(stop, timeoutMs);
  const code = await child.ended.finally(() => clearTimeout(timer));
  throwIfInterrupted();
  return { code, output: textOf(chunks), stdout: textOf(chunks.filter(({ stream }) => stream === stdout)), timedOut };
}

/** Runs a child quietly and returns its stdout. @throws {Failure} with its whole output */
export async function runQuietly(what, command, args, options = {}) {
  const { code, output, stdout } = await run(command, args, { ...options, capture: true });
  if (code !== 0) throw new Failure(`${what} failed (exit code ${code}):\n${output.trimEnd()}`);
  return stdout;
}

/** The first line on a child's piped stdout; undefined if it ends or the time is up before. */
export async function firstLine(child, withinMs) {
  let text = "";
  const line = new Promise((resolve) => {
    child.process.stdout.on("data", (chunk) => {
      text += chunk;
      if (text.includes("\n")) resolve(text.slice(0, text.indexOf("\n")));
    });
  });
  return Promise.race([line, sleep(withinMs), child.ended.then(() => undefined)]);
}
