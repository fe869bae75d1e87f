import fc from "fast-check";
import { RE2JS } from "re2js";
import { openLogins } from "../../provider/schema/login-limits";
import { startsOf } from "../../provider/schema/pattern-starts";
import { sharedIssuers } from "../../provider/schema/shared-issuers";
import { areClosed } from "../../provider/schema/tenant-part";
import { unknownValue } from "../../provider/schema/inputs";
import { longestText } from "../../provider/schema/pattern";
import { limitedLoginCases, openLoginCases } from "./public-logins";

const github = "https://token.actions.githubusercontent.com";
const account = "123456789012";

test.each(openLoginCases.map((login) => [JSON.stringify(login), login]))("anybody meets %s", (_, login) => {
  const [open] = openLogins(login);
  expect(open?.who).toMatch(/^anybody who /);
  expect(open?.ways.length).toBeGreaterThan(0);
});

test.each(limitedLoginCases.map((login) => [JSON.stringify(login), login]))("one customer is named by %s", (_, login) => {
  expect(openLogins(login)).toEqual([]);
});

test("the words say who, where and why, with the ways out", () => {
  expect(openLogins({ claimMatch: { issuer: github, subjectPattern: "^repo:acme.io" } })).toEqual([
    {
      who: "anybody who can run a GitHub Actions workflow",
      isKnownService: true,
      property: "claimMatch.subjectPattern",
      why: "It does not begin with the whole name of a customer, followed by its end",
      ways: [
        "Begin it with ^repo:NAME/, ^repository_owner:NAME: or ^repository_owner_id:NAME:.",
        "Write \\. for each dot of a name: a plain one stands for any character.",
        "Otherwise set the exact value of one of the claims repository_owner, repository_owner_id, repository, repository_id, enterprise and enterprise_id.",
      ],
      consent: "allowAnySubject",
    },
  ]);
  expect(openLogins({ claimMatch: { issuerPattern: "^https://oidc\\.eks\\..*", subject: "s" } })).toMatchObject([
    { who: "anybody who has a token of an issuer that matches", property: "claimMatch.issuerPattern", consent: "allowAnyIssuer" },
  ]);
});

test("a part that is not known yet is not judged", () => {
  for (const claimMatch of [
    unknownValue,
    { issuer: unknownValue, subject: "environment:production" },
    { issuer: unknownValue, subjectPattern: ".*", claims: { repository_owner: "acme" } },
    { issuer: github, subject: unknownValue },
    { issuer: github, subjectPattern: ".*", claims: unknownValue },
    { issuer: github, subjectPattern: ".*", claims: { repository_owner: unknownValue } },
    { issuerPattern: unknownValue, subject: "s" },
  ])
    expect(openLogins({ claimMatch })).toEqual([]);
  // Nothing else can limit it, whichever the issuer is.
  expect(openLogins({ claimMatch: { issuer: unknownValue, subjectPattern: ".*" } })).toHaveLength(1);
});

const role = (name: string, rest = "[^/]+$") => `^arn:aws:sts::${account}:assumed-role/${name}/${rest}`;
test.each<[string, string, isOpen: boolean]>([
  [".*", ".*", true],
  [role(".*"), "^AROA.+$", true],
  [role("ci-.*"), "^AROA.*$", true],
  [`^arn:aws:sts::\\d+:assumed-role/deploy/`, ".*", true],
  [`^arn:aws:iam::${account}:user/`, "AIDA.*", true],
  [`^arn:aws:sts::${account}:assumed-role/deploy`, "^AROA", true],
  [role("AWSReservedSSO_[A-Za-z]+_[0-9a-f]+"), ".*", true],
  [role("AWSReservedSSO_Admin_.*"), ".*", true],
  [role("AWSReservedSSO_.+_[0-9a-f]{16}"), ".*", true],
  [role("deploy"), ".*", false],
  [`^arn:aws-us-gov:sts::${account}:assumed-role/deploy/.*`, ".*", false],
  [`^arn:aws:iam::${account}:user/ci$`, ".*", false],
  [`^arn:aws:iam::${account}:(?:user|role)/ci$`, ".*", false],
  [role("AWSReservedSSO_Admin_[0-9a-f]{16}"), ".*", false],
  [role("AWSReservedSSO_Admin_[a-f0-9]+", ".*"), ".*", false],
  [".*", "^AROAEXAMPLEID:.+$", false],
  [".*", "^AIDAEXAMPLEID$", false],
])("AWS patterns %s and %s let in anybody of the account: %j", (arnPattern, userIdPattern, isOpen) => {
  const [open] = openLogins({ awsIdentity: { awsAccount: account, arnPattern, userIdPattern } });
  expect(open?.who).toBe(isOpen ? `anybody in AWS account ${account}` : undefined);
});

test("every issuer of the table has a public source, and forms with one name each", () => {
  const forms = sharedIssuers.flatMap(({ subjects = [], claims = {} }) => [...subjects, ...Object.values(claims)]);
  for (const form of forms) expect(form.split(/[*#]/)).toHaveLength(2);
  for (const { source, asOf, who, issuer } of sharedIssuers) {
    expect(new URL(source).protocol).toBe("https:");
    expect(asOf).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(`${who} ${issuer}`).toMatch(/^(can|has) .* https:\/\/[^*]+(\/\*\/)?$/);
  }
});

/** Parts of patterns, among them all that could hide an alternative or loosen an anchor. */
const part = fc.constantFrom(
  ...["repo:", "acme", "/", ":", "a", "|", "^", "$", "(", "(?:", "(?P<n>", "(?i)", "(?i:", "(?m)", "(?s)", ")", "*", "?", "+"],
  ...[
    "{0,1}",
    "{0}",
    "{2}",
    ".",
    ".*",
    "[^/]*",
    "[]|]",
    "[^]a]",
    "[[:alpha:]]",
    "[\\]|]",
    "\\/",
    "\\.",
    "\\d",
    "\\pL",
    "\\p{Greek}",
  ],
  ...["\\Q", "\\E", "\\x{7c}", "\\x41", "\\A", "\\b", "\\z", "x", "@", "{", "}", "]", "-", "\\|", "\\("],
);
const patternText = fc.oneof(
  fc.array(part, { minLength: 1, maxLength: 10 }).map((parts) => parts.join("")),
  fc
    .tuple(fc.array(part, { maxLength: 4 }), fc.array(part, { maxLength: 6 }))
    .map(([before, after]) => `^${before.join("")}repo:acme/${after.join("")}`),
  fc.array(part, { maxLength: 6 }).map((parts) => `^repo:acme${parts.join("")}/`),
);
const compiled = (text: string) => {
  try {
    return RE2JS.compile(text);
  } catch {
    return undefined;
  }
};

/** Subjects of customers other than `acme`, by the forms of the issuer. */
const tenants = ["evil", "acme2", "acme-labs", "xacme", "Acme", "a", "acm", "aacme", "acmeacme", "acme@1", "1"];
const tails = [
  "",
  "a",
  "x",
  "/acme/",
  "repo:acme/",
  "\nrepo:acme/x",
  "shop:ref:refs/heads/main",
  "acme",
  "acme/",
  "|",
  "(",
  "ax:",
];
const strangers = ["repo:*/", "repository_owner:*:", "environment:*:", "*", ""].flatMap((form) =>
  tenants.flatMap((tenant) => tails.map((tail) => form.replace("*", tenant) + tail)),
);

test("a pattern that names a customer is found in no subject of another one", () => {
  const forms = ["repo:*/", "repository_owner:*:"];
  let proven = 0;
  fc.assert(
    fc.property(patternText, (text) => {
      const pattern = compiled(text);
      const starts = startsOf(text);
      if (pattern === undefined || !areClosed(forms, starts)) return;
      proven += 1;
      const named = (subject: string) => starts?.some((start) => subject.startsWith(start.text)) === true;
      // Each match begins with one of the texts, and equals it if nothing may follow.
      for (const subject of strangers) {
        if (!pattern.test(subject)) continue;
        expect([text, subject, named(subject)]).toEqual([text, subject, true]);
        const tenant = /^(?:repo:([^/]+)\/|repository_owner:([^:]+):?)/.exec(subject);
        expect(starts?.some((start) => start.text.includes(tenant?.[1] ?? tenant?.[2] ?? "?"))).toBe(true);
      }
    }),
    { seed: 20261127, numRuns: 20_000 },
  );
  expect(proven).toBeGreaterThan(300);
});

test("a pattern with a beginning is found in no value that begins otherwise, and in no longer one where it ends", () => {
  const letters = ["a", "c", ":", "/", "repo:acme/", "repo:acme", "x", "|", "\n", "acme/"];
  const longer = (texts: readonly string[]) => texts.flatMap((text) => letters.map((each) => text + each));
  const values = ["", ...longer([""]), ...longer(longer([""])), ...strangers];
  let read = 0;
  fc.assert(
    fc.property(patternText, (text) => {
      const pattern = compiled(text);
      const starts = startsOf(text);
      if (pattern === undefined || starts === undefined) return;
      read += 1;
      const fits = (value: string) => starts.some(({ text, isWhole }) => (isWhole ? value === text : value.startsWith(text)));
      expect(values.filter((value) => pattern.test(value) && !fits(value))).toEqual([]);
    }),
    { seed: 44, numRuns: 20_000 },
  );
  expect(read).toBeGreaterThan(1_000);
});

test("a pattern is read in time by its length, however its groups are nested", () => {
  const started = performance.now();
  for (const text of [
    `^${"(a|b)".repeat(199)}`,
    `^${"(".repeat(450)}a${")".repeat(450)}`,
    `^${"(a|".repeat(250)}b${")".repeat(240)}`,
    `^${"[[:alpha:]".repeat(90)}`,
    `^${"a|^".repeat(330)}`,
    "^".padEnd(longestText, "("),
  ])
    startsOf(text);
  expect(performance.now() - started).toBeLessThan(2_000);
  expect(startsOf(`^${"a".repeat(longestText)}`)).toBeUndefined();
});
