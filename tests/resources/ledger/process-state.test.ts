import { processState } from "../../../provider/resources/ledger/process-state";

afterEach(() => jest.restoreAllMocks());

test.each([
  ["running", undefined],
  ["foreign", "EPERM"],
  ["ended", "ESRCH"],
])("a process is %s where the operating system answers %s", (state, code) => {
  jest.spyOn(process, "kill").mockImplementation(() => {
    if (code === undefined) return true;
    throw Object.assign(new Error(code), { code });
  });
  expect(processState(123)).toBe(state);
});
