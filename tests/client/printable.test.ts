import { literal } from "../../provider/client/printable";

test("a text that is cut in a message ends its quotation", () => {
  expect(literal("x".repeat(500))).toMatch(/^"x+\.\.\."$/);
  expect(literal("x")).toBe('"x"');
});
