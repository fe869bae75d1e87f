import { redact, rememberSecret, rememberToken } from "../../provider/client/redact";

const name = (number: number) => `token-${String(number).padStart(6, "0")}`;

test("the latest hundred tokens are removed from texts; a process that lives on keeps no more of them", () => {
  for (let number = 0; number < 1_000; number++) rememberToken(name(number));
  expect(redact(`${name(900)} ${name(999)}`)).toBe("[redacted] [redacted]");
  expect(redact(name(899))).toBe(name(899));
});

test("a token that is still in use stays remembered", () => {
  for (let number = 2_000; number < 3_000; number++) {
    rememberToken("token-in-use");
    rememberToken(name(number));
  }
  expect(redact("token-in-use")).toBe("[redacted]");
});

test("secrets of resources are never forgotten, and the longest goes first", () => {
  for (let number = 0; number < 300; number++) rememberSecret(`secret-${number}-value`);
  rememberSecret("secret-0-value-and-more");
  expect(redact("secret-0-value-and-more, secret-299-value")).toBe("[redacted], [redacted]");
});

test("a text that begins like a token again and again is read once, and the token at its end is removed", () => {
  const start = "eyJaaaaa-".repeat(30_000);
  expect(redact(start)).toBe(start);
  expect(redact(`${start}.cGF5bG9hZA.c2lnbmF0dXJl, eyJaaaaa eyJhbGciOiJub25lIn0.e30.`)).toBe("[redacted], eyJaaaaa [redacted]");
});
