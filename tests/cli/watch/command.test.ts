import Ajv from "ajv";
import addFormats from "ajv-formats";
import { Webhook as Verifier } from "standardwebhooks";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { documentSchemas } from "../../../cli/documents";
import { type Seen, startServer, startTcpServer } from "../../support/http-double";
import { scratchFolder } from "../../support/scratch-folder";

const command = path.resolve(__dirname, "../../support/drift-stand-in.js");
const binding = {
  class: "unmanaged",
  severity: "critical",
  kind: "iam:RoleBinding",
  uid: "r/b",
  path: "acme",
  message: "Anybody.",
};

let folder: string;
let watch: ChildProcess | undefined;
let lines: Reader;
let errors: Reader;

/** The lines of a stream, each waited for. */
class Reader {
  readonly #lines: AsyncIterator<string>;
  constructor(stream: NodeJS.ReadableStream) {
    this.#lines = createInterface(stream)[Symbol.asyncIterator]();
  }
  async next(): Promise<string> {
    const next = await this.#lines.next();
    if (next.done === true) throw new Error("the output ended");
    return next.value;
  }
}

/** Sets the findings of the next checks. Written at once, because a check may be in progress. */
async function answer(code: number, findings?: object[], error = ""): Promise<void> {
  const document = findings && { version: 1, findings, coverage: [], requests: 9 };
  await writeFile(path.join(folder, "next.json"), JSON.stringify({ code, document, error }));
  await rename(path.join(folder, "next.json"), path.join(folder, "answer.json"));
}

function start(args: string[], environment: Record<string, string> = {}): ChildProcess {
  const env = { ...process.env, ANSWER: path.join(folder, "answer.json"), ...environment };
  const child = spawn(process.execPath, [command, "watch", ...args], { env, cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  lines = new Reader(child.stdout);
  errors = new Reader(child.stderr);
  watch = child;
  return child;
}

beforeEach(() => {
  folder = scratchFolder();
});
afterEach(() => {
  if (watch?.exitCode === null && watch.signalCode === null) watch.kill("SIGKILL");
});

test("a line when drift appears and one when it is resolved, faults in between are reported, and SIGTERM ends it with 0", async () => {
  await answer(7, [binding]);
  const child = start(["--state", "state.json", "--interval", "1"]);
  expect(await lines.next()).toMatch(/^\S+Z appeared critical unmanaged iam:RoleBinding acme: Anybody\.$/);
  await answer(1, undefined, "connect ECONNREFUSED\n");
  expect(await lines.next()).toMatch(
    /appeared high unreadable watch:Check drift: Cannot tell: the check failed, .* ECONNREFUSED$/,
  );
  expect(await errors.next()).toBe("The check failed: connect ECONNREFUSED");
  await answer(1, [{ ...binding, class: "unreadable", uid: "r", message: "Role bindings in acme cannot be read: 403." }]);
  expect(await lines.next()).toMatch(/appeared critical unreadable .* cannot be read: 403\.$/);
  expect(await lines.next()).toContain("resolved high unreadable watch:Check drift: ");
  expect(await errors.next()).toContain("Could not read everything");
  await answer(0, []);
  const both = [await lines.next(), await lines.next()].map((line) => line.split(" ").slice(1, 4).join(" "));
  expect(both.sort()).toEqual(["resolved critical unmanaged", "resolved critical unreadable"]);
  expect(await errors.next()).toBe("Everything can be read again.");
  const closed = once(child, "close");
  child.kill("SIGTERM");
  expect(await closed).toEqual([0, null]);
});

test("a check that computes without end is ended after --timeout, and is a line that fits the schema", async () => {
  const { port } = await startTcpServer(() => undefined);
  await writeFile(path.join(folder, "answer.json"), JSON.stringify({ hangs: port }));
  start(["--state", "state.json", "--json", "--timeout", "1"]);
  const line: unknown = JSON.parse(await lines.next());
  expect(line).toMatchObject({
    event: "appeared",
    finding: { class: "unreadable", kind: "watch:Check", message: expect.stringContaining("longer than 1 seconds") as string },
  });
  expect(addFormats(new Ajv()).validate(documentSchemas()["watch"] as object, line)).toBe(true);
});

test("SIGINT ends it with 0 in the middle of its wait", async () => {
  await answer(7, [binding]);
  const child = start(["--state=state.json", "--json"]);
  const line: unknown = JSON.parse(await lines.next());
  expect(line).toMatchObject({ version: 1, event: "appeared", finding: binding });
  expect(addFormats(new Ajv()).validate(documentSchemas()["watch"] as object, line)).toBe(true);
  const closed = once(child, "close");
  child.kill("SIGINT");
  expect(await closed).toEqual([0, null]);
});

test("a watch of which nobody reads the lines any more ends with 1", async () => {
  await answer(7, [binding]);
  const child = start(["--state=state.json", "--interval=1"]);
  await lines.next();
  const closed = once(child, "exit");
  child.stdout?.destroy();
  await answer(0, []);
  expect(await closed).toEqual([1, null]);
});

test("metrics count what is known, and an event of the platform wakes it before its interval is over", async () => {
  await answer(7, [binding]);
  start(["--state", "state.json", "--interval", "86400", "--metrics-port", "0", "--listen", "0"]);
  const addresses = [await errors.next(), await errors.next()].map((line) => line.replace(/^.* at /, ""));
  const [metrics = "", events = ""] = addresses;
  await lines.next();
  const before = await fetch(`${metrics}/metrics`);
  expect(before.headers.get("content-type")).toContain("text/plain; version=0.0.4");
  const seen = await before.text();
  expect(seen).toContain('platform_drift_findings{class="unmanaged",severity="critical"} 1\n');
  expect(seen).toContain('platform_drift_rounds_total{result="drift"} 1\n');
  expect((await fetch(`${metrics}/other`)).status).toBe(404);
  expect((await fetch(events)).status).toBe(405);
  await answer(0, []);
  expect((await fetch(events, { method: "POST", body: "{}" })).status).toBe(204);
  expect(await lines.next()).toContain(" resolved critical unmanaged ");
});

test("changes are delivered, signed with the secret of the environment", async () => {
  await answer(7, [binding]);
  const { promise: delivery, resolve } = Promise.withResolvers<Seen>();
  const { url } = await startServer((seen) => {
    resolve(seen);
    return {};
  });
  start(["--state", "state.json", "--webhook", url], { PLATFORM_WEBHOOK_SECRET: "shared" });
  const { body, headers } = await delivery;
  const verifier = new Verifier("shared", { format: "raw" });
  expect(verifier.verify(body, headers as Record<string, string>)).toMatchObject({
    changes: [{ event: "appeared", finding: binding }],
  });
});

test.each([
  [[], "Pass --stack STACK"],
  [["--state", "s", "--interval", "soon"], "--interval must be a number"],
  [["--state", "-"], "watch does not read standard input"],
  [["--state", "s", "--baseline", "-"], "watch does not read standard input"],
  [["--state", "s", "--metrics-port", "99999"], "--metrics-port must be a number from 0 to 65535"],
  [["--state", "s", "--timeout", "0"], "--timeout must be a number from 1 to 86400"],
  [["--state", "s", "--webhook", "https://alerts.example/"], "PLATFORM_WEBHOOK_SECRET"],
])("%j is a wrong command line: nothing is looked at", async (args, expected) => {
  const child = start(args, { PLATFORM_WEBHOOK_SECRET: "" });
  const closed = once(child, "close");
  expect(await errors.next()).toContain(expected);
  expect(await closed).toEqual([2, null]);
});

test("a port that is in use is named, with the option to change it", async () => {
  const { port } = await startTcpServer(() => undefined);
  const closed = once(start(["--state", "s", "--metrics-port", String(port)]), "close");
  const expected = `Cannot listen on 127.0.0.1:${port}: it is in use. Pass another port with --metrics-port (0 picks a free one).`;
  expect(await errors.next()).toContain(expected);
  expect(await closed).toEqual([2, null]);
});
