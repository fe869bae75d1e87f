import fc from "fast-check";
import { RE2JS } from "re2js";
import { describeLogin } from "../../access/prose/describe-login";
import { compareLogins, isAnybody, isWhole } from "../../access/logins";
import { awsHelper, claimHelper } from "../../cli/export/claim-helpers";
import { longestText, unanalysed } from "../../provider/schema/pattern";
import { unanalysedKeys } from "../../provider/schema/json-web-keys";
import { identity } from "../../provider/kinds/identity";
import { check } from "../../provider/resources/object/check";
import { hostileText } from "../reliability/hostile-text";
import { casesOf } from "../support/tier";

/** Units for which analyses take long, or which they take apart wrongly. */
const units = fc.constantFrom(
  ...[
    "[",
    "(",
    ")",
    "(?:",
    "|",
    "\\",
    "{",
    "}",
    "/",
    ".*",
    ".?",
    "\\pL",
    "(?i)",
    "(a|b)*",
    "(.*a)",
    "a{9}",
    "a{1000}",
    "(?:b?){9}",
    "\\Q",
  ],
  ...[
    "eyJaaaaa-",
    "repo:a/",
    "gitlab",
    "workspace/",
    "w1|",
    "x{0,30}",
    "[^/]+",
    "organization:",
    "\n",
    "\ud800",
    "\u202e",
    "$",
    "^",
    "*",
    "#",
  ],
);
const lengths = fc.constantFrom(1, 40, 300, longestText - 1, longestText, longestText + 1, 20_000);
const cut = (parts: readonly string[], length: number) => {
  const once = parts.join("");
  return once.repeat(Math.ceil(length / once.length)).slice(0, length);
};
const text = fc.oneof(
  hostileText,
  fc.tuple(fc.array(units, { minLength: 1, maxLength: 5 }), lengths).map(([parts, length]) => cut(parts, length)),
);
const levels = fc.constantFrom(3, 33, 20_000);
const keys = fc.oneof(
  text,
  fc
    .tuple(levels, fc.constantFrom(["[", "]"] as const, ['{"a":', "}"] as const))
    .map(([count, [open, close]]) => `{"keys":[{"kty":"RSA","x":${open.repeat(count)}1${close.repeat(count)}}]}`),
);
const issuer = fc.oneof(
  fc.constantFrom("https://token.actions.githubusercontent.com", "https://gitlab.com", "https://a.example"),
  text,
);
const claims = fc.dictionary(fc.constantFrom("ref", "sub", "__proto__", "job_workflow_ref"), text, { noNullPrototype: true });
const login = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      claimMatch: fc.record({ issuer, subjectPattern: text, audiencePattern: text, claims, claimPatterns: claims }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ claimMatch: fc.record({ issuerPattern: text, subject: text, audience: text }) }) },
  { weight: 1, arbitrary: fc.record({ awsIdentity: fc.record({ awsAccount: text, arnPattern: text, userIdPattern: text }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ staticKeys: fc.record({ issuer, subject: text, issuerKeys: keys, expirationTime: text }) }),
  },
);

interface Forms {
  readonly claimMatch?: Readonly<Record<string, unknown>>;
  readonly awsIdentity?: Readonly<Record<string, unknown>>;
  readonly staticKeys?: Readonly<Record<string, unknown>>;
}

/** The patterns of a login, as far as they are texts. */
function patternsOf({ claimMatch = {}, awsIdentity = {} }: Forms): string[] {
  const all = { ...claimMatch, ...awsIdentity, ...(claimMatch["claimPatterns"] as object | undefined) };
  const named = Object.entries(all).filter(([name]) => name.endsWith("Pattern"));
  const ofClaims = Object.values(claimMatch["claimPatterns"] ?? {}) as unknown[];
  return [...named.map(([, value]) => value), ...ofClaims].filter(
    (value) => typeof value === "string" && value !== "",
  ) as string[];
}

afterEach(() => jest.restoreAllMocks());

test("whatever a colleague writes into an identity is analysed or said not to be; what is not counts as the worst and is never compiled", () => {
  const compile = jest.spyOn(RE2JS, "compile");
  let before: Forms = {};
  fc.assert(
    fc.property(login, (each: Forms) => {
      const words = describeLogin({ ...each });
      const isOver = patternsOf(each).some((pattern) => unanalysed(pattern) !== undefined);
      const issuerKeys = each.staticKeys?.["issuerKeys"];
      const isKeysOver = typeof issuerKeys === "string" && unanalysedKeys(issuerKeys) !== undefined;
      expect(words.includes("not analysed")).toBe(isOver || isKeysOver);
      const { issuerPattern, subjectPattern } = each.claimMatch ?? {};
      const isOpen = [issuerPattern, subjectPattern].some((pattern) => unanalysed(String(pattern)) !== undefined);
      if (isOpen && Object.keys(each.claimMatch?.["claims"] ?? {}).every((claim) => claim === "ref"))
        expect(isAnybody({ ...each })).toBe(true);
      expect(compareLogins({ ...each }, { ...each })).toEqual({ relation: "same", members: [] });
      compareLogins({ ...before }, { ...each });
      isWhole({ ...each });
      claimHelper(each.claimMatch ?? {});
      awsHelper(each.awsIdentity ?? {});
      check({ kind: identity, olds: {}, news: { parentUid: "a/b", name: "ci", ...each } }, { organization: undefined });
      before = each;
    }),
    { seed: 20261124, numRuns: casesOf(300, 10_000) },
  );
  expect(Math.max(...compile.mock.calls.map(([pattern]) => pattern.length))).toBe(longestText);
});
