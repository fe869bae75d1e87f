import fc from "fast-check";

/** Texts that attackers use: escape sequences, paths, look-alikes, overrides of direction, prototype keys. */
const crafted = [
  "\u001b[2J\u001b[31mAll resources were deleted\u001b[0m",
  "\u001b]0;title\u0007",
  "\u009b31m",
  "line\r\n    pulumi:pulumi:Stack  created",
  "../../etc/passwd",
  "a/../../b",
  "%2e%2e%2f",
  "a//b",
  "..",
  "/",
  "\0",
  "аdmin",
  "ｇｒｏｕｐ",
  "user\u202Etxt.exe",
  "zero\u200Bwidth\u2060",
  "tag\u{E0041}",
  "line\u2028separator",
  "\uD800",
  "\uDFFF\uD800",
  "__proto__",
  "constructor",
  "toString",
  "$(touch HERE)",
  "`touch HERE`",
  "; touch HERE #",
  "' && touch HERE && '",
  '" | touch HERE "',
  "--help",
  "%s%n",
  "##[error]mistaken",
  "###[group]##vso[task.complete result=Succeeded]##teamcity[buildStatus]",
  "::error::mistaken",
  " \u00a0::stop-commands::all",
  "",
];

/** Any text at all, crafted ones and very long ones among them. */
export const hostileText = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...crafted) },
  { weight: 3, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom(...crafted), fc.string({ maxLength: 8 })).map(([one, other]) => other + one + other),
  },
  { weight: 1, arbitrary: fc.constantFrom("x", "/", "\u202e", "é").map((unit) => unit.repeat(50_000)) },
);

/** Any value of JSON whose texts and keys are hostile. */
export const hostileValue: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    hostileText,
    fc.constantFrom<unknown>(null, true, 0, -1, 2 ** 60, 1e308),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(hostileText, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

/** Texts that a terminal or a pipeline would obey, or that hide or reorder other characters. A line feed is ours alone. */
export const unprintable = /[^\P{C}\n]|[\p{Zl}\p{Zp}]|##[\w.-]*\[|^\s*::/mu;
