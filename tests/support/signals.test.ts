import { isRunning, signal, signalGroup } from "./signals";

test.each([0, -1, 1, Number.NaN, undefined])("a signal to %s, which may be the tests themselves, is refused", (pid) => {
  expect(() => signal(pid, "SIGCONT")).toThrow("is not the id of one process");
  expect(() => signalGroup(pid, "SIGCONT")).toThrow("is not the id of one process");
  expect(() => isRunning(pid)).toThrow("is not the id of one process");
});

test("a process of that id runs, or none", () => {
  expect(isRunning(process.pid)).toBe(true);
  expect(isRunning(2 ** 30)).toBe(false);
});
