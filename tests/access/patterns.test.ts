import { RE2JS } from "re2js";
import fc from "fast-check";
import { describeLogin } from "../../access/prose/describe-login";
import { compareLogins, isAnybody, letsOthersIn } from "../../access/logins";

const github = "https://token.actions.githubusercontent.com";
const subjectMatching = (subjectPattern: string) => ({ claimMatch: { issuer: github, subjectPattern } });
const relation = (was: string, is: string) => compareLogins(subjectMatching(was), subjectMatching(is)).relation;

test.each([
  ["a group without a number is no text", "^?:a$|^b$", "^(?:a|b)$"],
  ["flags are no text", "^?i:a$|^b$", "^(?i:a|b)$"],
  ["a dot that also takes line feeds takes more", "^.*$", "^(?s:.*)$"],
  ["so does a class that takes them", ".*", "[\\s\\S]*"],
  ["so does a class that leaves others out", ".*", "[^x]*"],
  ["nothing at all is more than one character", ".+", ".*"],
  ["a line of several is not the whole", "^.*$", "repo:acme/shop"],
  ["what is found within a quotation is text", "\\Qabc", "\\Qabc$"],
  ["what Go takes and this release cannot read may be anything", "^[a-z]$", "^\\p{ASCII}*$"],
  ["and where it was there, what is there now may be more", "^\\p{letter}*$", "^[a-z0-9]$"],
  ["and so may one alternative fewer", "^(\\p{ASCII}|b)$", "^(b)$"],
  ["and an anchor more", "\\p{ASCII}", "\\p{letter}$"],
])("%s: the pattern may let others in", (_, was, is) => {
  expect(letsOthersIn(relation(was, is))).toBe(true);
});

test.each([
  ["an anchor fewer", "^repo:acme/.*$", "repo:acme/.*$", "broader"],
  ["an alternative fewer", "one|two", "two", "narrower"],
  ["alternatives in a group without a number", "^(?:a|b)$", "^(b|a)$", "same"],
  ["one alternative fewer there", "^(?:a|b)$", "^a$", "narrower"],
  ["one alternative more there", "^(?:a|b)$", "^(?:a|b|c)$", "broader"],
  ["an anchor more", "repo:acme/", "^repo:acme/", "narrower"],
])("what is certain is said: %s", (_, was, is, expected) => {
  expect(relation(was, is)).toBe(expected);
});

test.each([
  ["anything, after a few", "^repo:acme/.*$", ".*"],
  ["a few, after anything", ".*", "^repo:acme/.*$"],
  ["more of the same, by samples", "^repo:acme/[0-9]+$", "^repo:acme/.*$"],
])("nothing is tried on examples, so it is unclear, which ranks like broader: %s", (_, was, is) => {
  expect(relation(was, is)).toBe("unclear");
});

test("a pattern that cannot be read here counts as one that anybody meets", () => {
  expect(isAnybody(subjectMatching("^\\p{ASCII}*$"))).toBe(true);
  expect(isAnybody({ claimMatch: { issuerPattern: "\\p{letter}", subject: "ci" } })).toBe(true);
  expect(describeLogin(subjectMatching("\\p{ASCII}"))).toContain("anybody who can run a GitHub Actions workflow");
});

/** Patterns of the forms that are compared, and of some that only look like them. */
const pattern = fc
  .array(
    fc.constantFrom(
      "a",
      "b",
      ":",
      ".",
      ".*",
      ".+",
      "[ab]",
      "[^a]",
      "\\n",
      "|",
      "?",
      "*",
      "^",
      "$",
      "(",
      "(?:",
      "(?i:",
      "(?s)",
      ")",
      "\\Q",
      "\\E",
    ),
    {
      minLength: 1,
      maxLength: 7,
    },
  )
  .chain((parts) => fc.constantFrom(parts.join(""), `^(${parts.join("")})$`, `^(?:${parts.join("")})$`, `^${parts.join("")}$`))
  .filter((text) => {
    try {
      RE2JS.compile(text);
      return true;
    } catch {
      return false;
    }
  });

/** All texts of up to two of these characters. */
const characters = ["a", "b", "A", ":", "$", "\n"];
const longer = (texts: readonly string[]) => texts.flatMap((text) => characters.map((each) => text + each));
const values = ["", ...longer([""]), ...longer(longer([""]))];

test("of two patterns, one that is the same or narrower accepts nothing more, whether or not patterns are anchored", () => {
  // Changes of a pattern are more often comparable than two patterns.
  const pair = pattern.chain((was) =>
    fc.tuple(
      fc.constant(was),
      fc.oneof(
        pattern,
        fc.constantFrom(
          was.replaceAll("|", "$|^"),
          `^${was}`,
          `${was}$`,
          was.replace("(?:", "("),
          was.replace("(?i:", "(?:"),
          was.replace(/^\^\(\??:?(.*)\)\$$/, "^$1$"),
          was.split("|")[0] ?? was,
          ".*",
          ".+",
          "^.*$",
        ),
      ),
    ),
  );
  const accepts = (text: string) => {
    const compiled = RE2JS.compile(text);
    return [(value: string) => compiled.matches(value), (value: string) => compiled.matcher(value).find()];
  };
  let proven = 0;
  fc.assert(
    fc.property(pair, fc.boolean(), ([one, other], isBack) => {
      const [was, is] = isBack ? [other, one] : [one, other];
      // An empty pattern is none.
      if (was === is || was === "" || is === "" || letsOthersIn(relation(was, is))) return;
      proven += 1;
      const [before, after] = [accepts(was), accepts(is)];
      const more = values.filter((value) => after.some((accepted, index) => accepted(value) && before[index]?.(value) === false));
      expect(more).toEqual([]);
    }),
    { seed: 3701, numRuns: 3000 },
  );
  expect(proven).toBeGreaterThan(50);
});
