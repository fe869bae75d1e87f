import { literal, printable } from "../../provider/client/printable";

test.each([
  ["\u0430cme", "\\u{430}cme"],
  ["\u0430cme/\u0441i", "\\u{430}cme/\\u{441}i"],
  ["\u03BFwner", "\\u{3bf}wner"],
])("a letter that may pass for a Latin one is spelled out in a Latin word: %s", (name, shown) => {
  expect(printable(name)).toBe(shown);
  expect(printable(shown)).toBe(shown);
});

test.each(["Иван Петров", "acme/команда", "Ελένη@example.com", "Zoë Łukasz", "研究チームA", "5 µs"])(
  "a word of one script stays as it is: %s",
  (name) => expect(printable(name)).toBe(name),
);

test("a text that is cut in a message ends its quotation", () => {
  expect(literal("x".repeat(500))).toMatch(/^"x+\.\.\."$/);
  expect(literal("x")).toBe('"x"');
});
