import { readPreviewFile } from "../../preview/file";

const errorsOf = (...messages: string[]) =>
  readPreviewFile(
    JSON.stringify({ steps: [], config: {}, diagnostics: messages.map((message) => ({ severity: "error", message })) }),
    "preview.json",
  ).errors;

const missing = "platform:baseUrl is not set. Set it with `pulumi config set`.\n- Or set PLATFORM_BASE_URL.";
const of = (name: string, reason = missing) => `error: platform:iam:Group resource '${name}' has a problem: ${reason}\n`;

test("an error of several resources with one reason is said once, with at most five names", () => {
  expect(errorsOf(...["a", "b", "c", "d", "e", "f", "g"].map((name) => of(name)))).toEqual([
    `Resources 'a', 'b', 'c', 'd', 'e' and 2 more have a problem: ${missing}`,
  ]);
});

test("other errors stay as they are, each once, in their order", () => {
  expect(errorsOf(of("a", "x"), "error: one", of("b", "y"), "error: one", "two")).toEqual([
    "platform:iam:Group resource 'a' has a problem: x",
    "one",
    "platform:iam:Group resource 'b' has a problem: y",
    "two",
  ]);
});
