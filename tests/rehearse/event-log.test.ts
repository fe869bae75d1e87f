import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { EventLog } from "../../rehearse/event-log";

let folder = "";
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), "events-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const event = (severity: string, message: string) => JSON.stringify({ diagnosticEvent: { severity, message } });

/** Writes as the engine does: opens the log, truncates it, and closes it at its end. */
function write(file: string, ...lines: readonly string[]): void {
  const script = 'require("node:fs").writeFileSync(process.argv[1], process.argv.slice(2).join("\\n") + "\\n")';
  execFileSync(process.execPath, ["-e", script, file, ...lines]);
}

test("the errors of a preview and of the update after it are found, and nothing of either is in a file", async () => {
  const log = await EventLog.open(path.join(folder, "events"));
  expect(statSync(log.path)).toMatchObject({ size: 0 });
  expect(statSync(log.path).isFIFO()).toBe(true);
  expect(statSync(log.path).mode & 0o777).toBe(0o600);
  write(log.path, event("debug", "password: secret"), event("error", "of the preview"));
  write(log.path, event("warning", "error"), event("error", "of the update"));
  expect(await log.errors()).toEqual([{ message: "of the preview" }, { message: "of the update" }]);
});

test("an engine that ends before it opens the log has no errors", async () => {
  expect(await (await EventLog.open(path.join(folder, "events"))).errors()).toEqual([]);
});
