import { Progress } from "../../cli/shell/progress";

const { isTTY, columns } = process.stderr;
const ci = process.env["CI"];

afterEach(() => {
  Object.assign(process.stderr, { isTTY, columns });
  delete process.env["CI"];
  if (ci !== undefined) process.env["CI"] = ci;
});

function written(terminal: boolean, inCi: boolean): string {
  Object.assign(process.stderr, { isTTY: terminal, columns: 20 });
  if (inCi) process.env["CI"] = "true";
  else delete process.env["CI"];
  const write = jest.spyOn(process.stderr, "write").mockReturnValue(true);
  const progress = new Progress();
  progress.update("reading\ngroups \u001b[2J and more");
  progress.clear();
  const text = write.mock.calls.map(([part]) => String(part)).join("");
  write.mockRestore();
  return text;
}

test("progress is one line on a terminal, cut to its width, without what the terminal interprets", () => {
  expect(written(true, false)).toBe("\r\u001b[2Kreading groups \\u{1\r\u001b[2K");
});

test.each([
  [false, false],
  [false, true],
  [true, true],
])("nothing is shown without a terminal or in CI: terminal %s, CI %s", (terminal, inCi) => {
  expect(written(terminal, inCi)).toBe("");
});
