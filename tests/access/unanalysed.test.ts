import { describeLogin } from "../../access/prose/describe-login";
import { compareLogins, isAnybody } from "../../access/logins";
import { identity } from "../../provider/kinds/identity";
import type { Inputs } from "../../provider/schema/kind";
import { longestRepeated, longestText } from "../../provider/schema/pattern";
import { check } from "../../provider/resources/object/check";

const issuer = "https://issuer.example";
const account = "123456789012";
const match = (claimMatch: object) => ({ claimMatch });

/** A narrow pattern of so many characters. */
const narrow = (length: number) => `^ci:${"a".repeat(length - 5)}$`;
/** A narrow pattern that is so long once its repetition is written out. */
const repeated = (length: number) => {
  const start = "^ci:(?:bb){10}";
  return `${start}${"a".repeat(length / 10 - start.length - 1)}$`;
};
const tooLong = /not analysed, because it is longer than 1,000 characters/;
const tooLarge = /not analysed, because its repetitions make it longer than 2,000 characters/;

const reasons = (form: Inputs) =>
  check({ kind: identity, olds: {}, news: { parentUid: "a/b", name: "ci", ...form } }, { organization: undefined })
    .failures.map(({ reason }) => reason)
    .join("\n");

test.each([
  ["characters", narrow(longestText), narrow(longestText + 1), tooLong],
  ["characters of its repetitions", repeated(longestRepeated), repeated(longestRepeated + 10), tooLarge],
])("a pattern is analysed up to a number of %s; one more, and it lets anybody in", (_, last, first, words) => {
  const [within, over] = [last, first].map((subjectPattern) => match({ issuer, subjectPattern }));
  expect([within, over].map(isAnybody)).toEqual([false, true]);
  expect([within, over].map((login) => words.test(describeLogin(login ?? {})))).toEqual([false, true]);
  expect([within, over].map((form) => reasons(form ?? {}))).toEqual(["", expect.stringMatching(words)]);
  expect(reasons({ ...over, allowAnySubject: true })).toBe("");
});

test("whatever is about a pattern that is not analysed says so", () => {
  const over = narrow(longestText + 1);
  const exact = { issuer, subject: "ci" };
  for (const login of [
    match({ issuerPattern: over, subject: "ci" }),
    match({ ...exact, audiencePattern: over }),
    match({ ...exact, claimPatterns: { job: over } }),
    { awsIdentity: { awsAccount: account, arnPattern: over, userIdPattern: "^AROA1:ci$" } },
    { awsIdentity: { awsAccount: account, arn: "a", userIdPattern: over } },
  ])
    expect(describeLogin(login)).toMatch(tooLong);
  expect(isAnybody(match({ issuerPattern: over, subject: "ci" }))).toBe(true);
});

test("two AWS patterns that are not analysed let in any principal; one narrow one is enough", () => {
  const over = narrow(longestText + 1);
  const aws = (arnPattern: string, userIdPattern: string) =>
    reasons({ awsIdentity: { awsAccount: account, arnPattern, userIdPattern } });
  expect(aws(over, over)).toMatch(tooLong);
  expect(aws(over, ".*")).toMatch(tooLong);
  expect(aws(over, "^AROA1:ci$")).toBe("");
});

test("a change of a text that is not analysed may let others in, whichever side has it", () => {
  const over = narrow(longestText + 1);
  const subject = "ci:".padEnd(longestText + 1, "a");
  const relation = (was: object, is: object) => compareLogins(match({ issuer, ...was }), match({ issuer, ...is })).relation;
  expect(relation({ subjectPattern: over }, { subjectPattern: over })).toBe("same");
  expect(relation({ subjectPattern: over }, { subjectPattern: narrow(9) })).toBe("unclear");
  expect(relation({ subjectPattern: narrow(9) }, { subjectPattern: over })).toBe("unclear");
  expect(relation({ subjectPattern: "^ci:.*$" }, { subject })).toBe("unclear");
  expect(relation({ subject }, { subjectPattern: "^ci:.*$" })).toBe("unclear");
  expect(relation({ subject }, { subject: `${subject}a` })).toBe("other");
});
