import { existsSync } from "node:fs";
import { checkout, until, useCheckout } from "./fake-checkout";

useCheckout();

const hold = (work: string) =>
  checkout.evaluate(`
    const { existsSync } = await import("node:fs");
    const { sleep } = await import("./scripts/lib/child.mjs");
    const { withLock } = await import("./scripts/lib/lock.mjs");
    await withLock("the.lock", "somebody works", async () => {${work}});`);

test.each([
  ["a process that is dead", "999999999 12345"],
  ["an earlier process whose id is in use again", `${process.pid} 1`],
  ["nobody (an empty file)", ""],
])("the lock of %s is taken over", async (_owner, content) => {
  checkout.write("the.lock", content);
  const { code, stdout, stderr } = await hold("console.log('in')").ending;
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "in\n", stderr: "" });
  expect(existsSync(`${checkout.root}/the.lock`)).toBe(false);
});

test("a second process waits until the first is done, and says for whom", async () => {
  const first = hold("console.log('in'); while (!existsSync('go')) await sleep(10); console.log('out');");
  await until(() => existsSync(`${checkout.root}/the.lock`));
  const second = hold("console.log(existsSync('go'));");
  let said = "";
  second.child.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));
  await until(() => said.includes(`Waiting: somebody works (process ${first.child.pid}`));
  checkout.write("go", "");
  expect((await first.ending).stdout).toBe("in\nout\n");
  expect((await second.ending).stdout).toBe("true\n");
});

test("only one of many is in at a time", async () => {
  checkout.write("the.lock", "999999999 12345");
  const work =
    "if (existsSync('inside')) console.log('two inside'); (await import('node:fs')).mkdirSync('inside'); await sleep(20); (await import('node:fs')).rmdirSync('inside');";
  const endings = await Promise.all(Array.from({ length: 6 }, () => hold(work).ending));
  expect(endings.map(({ code, stdout }) => ({ code, stdout }))).toEqual(Array(6).fill({ code: 0, stdout: "" }));
});

test("a failure and a signal both let go of the lock", async () => {
  await hold("throw new Error('no')").ending;
  expect(existsSync(`${checkout.root}/the.lock`)).toBe(false);
  const waiting = hold("console.log('in'); await sleep(600_000);");
  await until(() => existsSync(`${checkout.root}/the.lock`));
  waiting.child.kill("SIGTERM");
  expect((await waiting.ending).code).toBe(143);
  expect(existsSync(`${checkout.root}/the.lock`)).toBe(false);
});
