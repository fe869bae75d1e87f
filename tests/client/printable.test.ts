import { literal, printable } from "../../provider/client/printable";

test("a text that is cut in a message ends its quotation", () => {
  expect(literal("x".repeat(500))).toMatch(/^"x+\.\.\."$/);
  expect(literal("x")).toBe('"x"');
});

// The runner of GitHub Actions looks for `##[` anywhere in a line, and for `::` after it has trimmed the start of the line
// (src/Runner.Common/ActionCommand.cs); the agent of Azure Pipelines looks for `##vso[` anywhere, TeamCity for `##teamcity[`.
test.each([
  ["##[error]x", String.raw`\u{23}#[error]x`],
  ["a ##[group]b ##[endgroup]", String.raw`a \u{23}#[group]b \u{23}#[endgroup]`],
  ["####[error]", String.raw`##\u{23}#[error]`],
  ["#\u200b#[error]", String.raw`#\u{200b}#[error]`],
  ["##vso[task.setvariable variable=a]b", String.raw`\u{23}#vso[task.setvariable variable=a]b`],
  ["##VSO[x]", String.raw`\u{23}#VSO[x]`],
  ["##teamcity[buildStatus]", String.raw`\u{23}#teamcity[buildStatus]`],
  ["::error::x", String.raw`\u{3a}:error::x`],
  [" \u00a0\u3000::add-mask::x", ` \u00a0\u3000${String.raw`\u{3a}:add-mask::x`}`],
  ["\t::error::x", String.raw`\u{9}::error::x`],
  ["first\n  ::error::x\n\n::debug::y", `first\n  ${String.raw`\u{3a}:error::x`}\n\n${String.raw`\u{3a}:debug::y`}`],
  ["first\r::error::x", String.raw`first\u{d}::error::x`],
  ["urn:pulumi:a::b::c::d, a::error::b, # [x] ## [y] ##", "urn:pulumi:a::b::c::d, a::error::b, # [x] ## [y] ##"],
])("what a pipeline would run as a command of its log is spelled out: %j", (text, shown) => {
  expect(printable(text)).toBe(shown);
  expect(printable(shown)).toBe(shown);
});
