import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import type { Socket } from "node:net";
import path from "node:path";
import type { Sleep } from "../../../cli/watch/rhythm";
import { look } from "../../../cli/watch/round";
import { startTcpServer } from "../../support/http-double";
import { scratchFolder } from "../../support/scratch-folder";

const [, script = ""] = process.argv;
const { signal } = new AbortController();

beforeEach(() => {
  process.argv[1] = path.resolve(__dirname, "../../support/drift-stand-in.js");
});
afterEach(() => {
  process.argv[1] = script;
});

/** Options with which the check answers so. */
async function answering(content: object): Promise<string[]> {
  const file = path.join(scratchFolder(), "answer.json");
  await writeFile(file, JSON.stringify(content));
  return [file];
}

test("a check that computes without end is ended at its time limit, and counts as failed", async () => {
  const { promise: connection, resolve } = Promise.withResolvers<Socket>();
  const { port } = await startTcpServer(resolve);
  const options = await answering({ hangs: port });
  const waits: number[] = [];
  let isGone: Promise<unknown> = Promise.resolve();
  // The time limit is over as soon as the check computes.
  const sleep: Sleep = async (milliseconds) => {
    waits.push(milliseconds);
    const socket = await connection;
    await once(socket, "data");
    isGone = new Promise((resolve) => socket.on("error", resolve).on("close", resolve));
  };
  const round = await look(options, signal, { seconds: 600, sleep });
  expect(round).toEqual({ result: "failed", reason: "it took longer than 600 seconds and was ended" });
  expect(waits).toEqual([600_000]);
  await isGone;
});

test("a check that ends before its time limit is read, and nothing waits for the limit any more", async () => {
  const options = await answering({ code: 0, document: { findings: [], requests: 3 } });
  let waited: Promise<unknown> = Promise.resolve();
  const sleep: Sleep = async (_, over) => {
    waited = once(over, "abort");
    await waited;
  };
  expect(await look(options, signal, { seconds: 600, sleep })).toEqual({ result: "clean", findings: [], requests: 3 });
  await waited;
});
