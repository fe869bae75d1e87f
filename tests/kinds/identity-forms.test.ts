import { unknownValue } from "../../provider/schema/inputs";
import { identity } from "../../provider/kinds/identity";
import type { Inputs } from "../../provider/schema/kind";
import { createBody } from "../../provider/schema/request-body";
import { changeOf } from "../support/change";
import { check } from "../../provider/resources/object/check";
import { Ledger } from "../../provider/resources/ledger/ledger";
import { diff } from "../../provider/resources/object/diff";

const base = { parentUid: "a/b", name: "ci" };
const issuer = "https://issuer.example";
const github = "https://token.actions.githubusercontent.com";
const issuerKeys = JSON.stringify({ keys: [{ kty: "RSA", n: "AQAB", e: "AQAB", kid: "1" }] });
const claimMatch = { issuer, subject: "s" };
const staticKeys = { issuer, subject: "s", issuerKeys };
const awsIdentity = { awsAccount: "123456789012", arn: "arn:aws:iam::123456789012:role/ci", userIdPattern: "^AROAEXAMPLE:.+$" };
const servicePrincipal = "SERVICE_PRINCIPAL_INGESTER";

const checked = (news: Inputs) => check({ kind: identity, olds: {}, news: { ...base, ...news } }, { organization: undefined });
const reasons = (news: Inputs) => checked(news).failures.map(({ reason }) => reason);
const ofMatch = (match: Inputs, more: Inputs = {}) => reasons({ claimMatch: match, ...more });

describe("the form", () => {
  test.each<[string, Inputs]>([
    ["claim match", { claimMatch }],
    [
      "patterns",
      { claimMatch: { issuerPattern: "^https://ci\\.acme\\.example/.+$", subjectPattern: "^ci:.+$", audiencePattern: "^a$" } },
    ],
    ["claims", { claimMatch: { ...claimMatch, audience: "a", claims: { ref: "main" }, claimPatterns: { run: "^\\d+$" } } }],
    ["static keys", { staticKeys: { ...staticKeys, expirationTime: "2030-01-01T00:00:00Z", audiences: ["a"] } }],
    ["AWS", { awsIdentity }],
    ["service principal", { servicePrincipal }],
    ["service principal newer than this package", { servicePrincipal: "SERVICE_PRINCIPAL_TOMORROW" }],
    ["claim match that is not known yet", { claimMatch: unknownValue }],
    ["pattern that is not known yet", { claimMatch: { issuer, subjectPattern: unknownValue } }],
  ])("%s passes, and is sent as it is", (_what, form) => {
    const { inputs, failures } = checked(form);
    expect(failures).toEqual([]);
    expect(createBody(identity, inputs)).toEqual({ name: "ci", ...form });
  });

  test.each<[string, Inputs, string]>([
    ["none", {}, "exactly one of claimMatch, staticKeys, awsIdentity and servicePrincipal must be set; none is set"],
    ["none of a kind", { servicePrincipal: "SERVICE_PRINCIPAL_UNSPECIFIED" }, "none is set"],
    ["two", { claimMatch, staticKeys }, "claimMatch and staticKeys are set"],
    ["two, one not known yet", { claimMatch: unknownValue, servicePrincipal }, "claimMatch and servicePrincipal are set"],
    [
      "two issuers",
      { claimMatch: { ...claimMatch, issuerPattern: "^https://a\\.example$" } },
      "issuer and issuerPattern are set",
    ],
    ["no subject", { claimMatch: { issuer } }, "exactly one of claimMatch.subject and claimMatch.subjectPattern must be set"],
    [
      "two audiences",
      { claimMatch: { ...claimMatch, audience: "a", audiencePattern: "^a$" } },
      "at most one of claimMatch.audience and",
    ],
    [
      "no caller of AWS",
      { awsIdentity: { awsAccount: "123456789012" } },
      "exactly one of awsIdentity.arn and awsIdentity.arnPattern",
    ],
    ["a wrong account", { awsIdentity: { ...awsIdentity, awsAccount: "12345" } }, "must be the 12 digits of an AWS account"],
    ["no keys", { staticKeys: { issuer, subject: "s" } }, "staticKeys.issuerKeys is required"],
    ["keys that are no JSON", { staticKeys: { ...staticKeys, issuerKeys: "x" } }, "must be a JSON Web Key Set as text"],
    ["an empty key set", { staticKeys: { ...staticKeys, issuerKeys: '{"keys":[]}' } }, "must contain at least one key"],
    ["a private key", { staticKeys: { ...staticKeys, issuerKeys: '{"keys":[{"kty":"EC","d":"secret"}]}' } }, "only public keys"],
    ["a shared key", { staticKeys: { ...staticKeys, issuerKeys: '{"keys":[{"kty":"oct","k":"secret"}]}' } }, "only public keys"],
  ])("with %s is rejected", (_what, form, message) => {
    const found = reasons(form);
    expect(found.join("\n")).toContain(message);
    expect(found.join("\n")).not.toContain("secret");
  });

  const forms: [string, Inputs][] = Object.entries({ claimMatch, staticKeys, awsIdentity, servicePrincipal }).map(
    ([name, value]) => [name, { [name]: value }],
  );
  const switches = forms.flatMap(([name, form]) =>
    forms.filter(([other]) => other !== name).map(([other, to]) => [name, other, form, to] as const),
  );
  const diffed = (olds: Inputs, news: Inputs) =>
    diff({ kind: identity, uid: "a/b/c", olds: { ...base, ...olds }, news: { ...base, ...news } }, { ledger: new Ledger() });

  test.each(switches)("%s cannot become %s in place: the platform may keep both", (name, other, from, to) => {
    expect(diffed(from, to)).toEqual({
      changes: true,
      replaces: [...Object.keys(identity.fields)].filter((each) => each === name || each === other),
      deleteBeforeReplace: true,
    });
    expect(diffed(from, { [other]: unknownValue }).replaces).toContain(name);
  });

  test("changes in place within a form, and where the object has none", () => {
    expect(diffed({ claimMatch }, { claimMatch: { issuer, subjectPattern: "^a$" } })).toMatchObject({
      changes: true,
      replaces: [],
    });
    expect(diffed({ awsIdentity }, { awsIdentity: { ...awsIdentity, arn: "other" } })).toMatchObject({
      changes: true,
      replaces: [],
    });
    expect(diffed({}, { claimMatch })).toMatchObject({ changes: true, replaces: [] });
    expect(diffed({ servicePrincipal }, { servicePrincipal: "SERVICE_PRINCIPAL_OTHER" }).replaces).toEqual(["servicePrincipal"]);
  });

  test("an existing claim match of issuer and subject has the state, request and diff that it always had", () => {
    const { inputs } = checked({ claimMatch });
    expect(inputs).toEqual({ ...base, claimMatch });
    expect(diffed({ claimMatch }, inputs)).toMatchObject({ changes: false });
    expect(changeOf(identity, { ...base, claimMatch }, { ...base, claimMatch: { issuer, subject: "t" } })).toEqual({
      body: { claimMatch: { issuer, subject: "t" } },
      mask: ["claim_match"],
    });
  });
});

describe("static keys", () => {
  const stored = { ...base, staticKeys: { ...staticKeys, expirationTime: "2027-01-01T00:00:00Z" } };

  test("an expiry that the platform filled in is no difference, and an update of the keys does not send it", () => {
    expect(changeOf(identity, stored, { ...base, staticKeys })).toEqual({ body: {}, mask: [] });
    const rotated = issuerKeys.replace('"1"', '"2"');
    expect(changeOf(identity, stored, { ...base, staticKeys: { ...staticKeys, issuerKeys: rotated } })).toEqual({
      body: { staticKeys: { ...staticKeys, issuerKeys: rotated } },
      mask: ["static_keys.issuer_keys"],
    });
  });

  test("keys in another spacing or order of members are the same", () => {
    const spaced = '{ "keys": [ { "kid": "1", "e": "AQAB", "n": "AQAB", "kty": "RSA" } ] }';
    expect(changeOf(identity, stored, { ...base, staticKeys: { ...staticKeys, issuerKeys: spaced } }).mask).toEqual([]);
  });
});

describe("patterns", () => {
  test.each(["(?=a)", "a(?!b)", "\\1", "(a", "a{1,2000}", "x*+"])("%s is no RE2, in every place that takes one", (bad) => {
    const places: Inputs[] = [
      ...["issuerPattern", "subjectPattern", "audiencePattern"].map((name) => ({ claimMatch: { [name]: bad } })),
      { claimMatch: { ...claimMatch, claimPatterns: { ref: bad } } },
      { awsIdentity: { ...awsIdentity, userIdPattern: bad } },
    ];
    for (const news of places) expect(reasons(news).join("\n")).toContain(`is not a regular expression in RE2 syntax: `);
  });

  const anybody = [
    ".*",
    ".+",
    "^.*$",
    "^.+$",
    "(.*)",
    "(?s:.*)",
    "[\\s\\S]*",
    "[^x]*",
    ".{1,}",
    ".*|x",
    "x|",
    "|",
    "()",
    "x*",
    "^",
    "$",
    "\\w+",
    "[a-z]+",
    "\\pL+",
  ];
  test.each([...anybody, "\\d+", "^[0-9a-f-]{36}$", "^.+@.+$", "^[^@]+@gmail\\.com$", "^.{20,}$"])(
    "subject %s lets anybody in",
    (subjectPattern) => {
      expect(ofMatch({ issuer, subjectPattern }).join()).toMatch(
        /claimMatch\.subjectPattern lets in anybody who .*Set allowAnySubject: true/s,
      );
      expect(ofMatch({ issuer, subjectPattern }, { allowAnySubject: true })).toEqual([]);
      expect(ofMatch({ issuer, subjectPattern }, { allowAnyIssuer: true })).toHaveLength(1);
      expect(ofMatch({ issuer, subjectPattern }, { allowAnySubject: unknownValue })).toEqual([]);
    },
  );

  test.each([
    ...anybody,
    "https://.*",
    "^https://[^/]+$",
    "^https://.+\\.com$",
    "^https://.+\\.github\\.io$",
    "^https://oidc\\.eks\\..+\\.amazonaws\\.com/id/.+$",
    "^https://login\\.microsoftonline\\.com/.+/v2\\.0$",
    "^https://container\\.googleapis\\.com/.*$",
  ])("issuer %s lets anybody in", (issuerPattern) => {
    expect(ofMatch({ issuerPattern, subject: "s" }).join()).toMatch(
      /claimMatch\.issuerPattern lets in anybody who .*Set allowAnyIssuer: true/s,
    );
    expect(ofMatch({ issuerPattern, subject: "s" }, { allowAnyIssuer: true })).toEqual([]);
  });

  test.each([
    [github, "^repo:.+:ref:refs/heads/main$"],
    [github, ":environment:production$"],
    ["https://gitlab.com", "^project_path:.+:ref_type:branch:ref:main$"],
    ["https://agent.buildkite.com", "^organization:.+:pipeline:.+$"],
  ])(
    "at %s, which serves everybody, subject %s lets anybody in, unless a claim of its own narrows it",
    (shared, subjectPattern) => {
      const claims = { repository_owner_id: "1", project_id: "1", organization_slug: "acme" };
      expect(ofMatch({ issuer: shared, subjectPattern })).toHaveLength(1);
      expect(ofMatch({ issuer: shared, subjectPattern, claims: { ref: "main", sha: "1" } })).toHaveLength(1);
      expect(ofMatch({ issuer: shared, subjectPattern, claims })).toEqual([]);
    },
  );

  test.each([
    [
      "the issuer written as a pattern",
      { issuerPattern: "^https://token\\.actions\\.githubusercontent\\.com$", subjectPattern: "^repo:.*:ref:refs/heads/main$" },
    ],
    ["any repository's environment", { issuer: github, subjectPattern: "^repo:.*:environment:prod$" }],
    ["any repository's branch", { issuer: github, subjectPattern: "^repo:.*:ref:refs/heads/release/1\\.0$" }],
    ["any owner's repository of a name", { issuer: github, subjectPattern: "^repo:[^/]+/shop:.*$" }],
    ["any owner's branch of a repository", { issuer: github, subjectPattern: "^repo:.*/shop:ref:refs/heads/release$" }],
    [
      "any group's project of a name",
      { issuer: "https://gitlab.com", subjectPattern: "^project_path:.*/shop:ref_type:branch:ref:stable$" },
    ],
    [
      "a claim that everybody has",
      { issuer: github, subjectPattern: "^repo:.*:ref:refs/heads/main$", claims: { event_name: "push" } },
    ],
    ["anybody's bucket", { issuerPattern: "^https://storage\\.googleapis\\.com/.*$", subject: "s" }],
    ["any tenant of a directory", { issuerPattern: "^https://sts\\.windows\\.net/[0-9a-f-]{36}/$", subject: "s" }],
    [
      "any cluster of a region",
      { issuerPattern: "^https://oidc\\.eks\\.us-west-2\\.amazonaws\\.com/id/[0-9A-F]{32}$", subject: "s" },
    ],
    ["any account by its number", { issuer, subjectPattern: "^[0-9]{21}$" }],
    ["an owner whose name begins in the same way", { issuer: github, subjectPattern: "^repo:acme" }],
    ["an owner whose name goes on after a hyphen", { issuer: github, subjectPattern: "^repo:acme(-[a-z]+)?/shop:.*$" }],
    ["an owner whose name ends in the same way", { issuer: github, subjectPattern: "^repo:.*acme/shop:ref:refs/heads/main$" }],
    ["an owner whose name begins in the same way, in any case", { issuer: github, subjectPattern: "(?i)^repo:acme" }],
    ["an owner whose name begins like that of an alternative", { issuer: github, subjectPattern: "^repo:(acme/|globex).*$" }],
    ["an owner whose name begins with the same number", { issuer: github, subjectPattern: "^repo:123.*/name:.*$" }],
    [
      "a group whose path begins with the same domain",
      { issuer: "https://gitlab.com", subjectPattern: "^project_path:acme\\.io" },
    ],
    ["a group whose path begins in the same way", { issuer: "https://gitlab.com", subjectPattern: "^project_path:acme.*$" }],
    ["a customer whose name begins in the same way", { issuerPattern: "^https://acme.*\\.okta\\.com$", subject: "s" }],
    ["a domain that ends in the same way", { issuerPattern: "^https://.*acme\\.com$", subject: "s" }],
  ])("%s lets anybody in", (_what, match) => {
    expect(ofMatch(match)).toHaveLength(1);
  });

  test("an exact subject that says no customer of a shared issuer needs consent", () => {
    const match = { issuer: github, subject: "environment:production" };
    expect(ofMatch(match).join()).toMatch(/claimMatch\.subject lets in anybody who can run a GitHub Actions workflow\./);
    expect(ofMatch(match, { allowAnySubject: true })).toEqual([]);
    expect(ofMatch({ ...match, subject: "^repo:acme/shop:.*$" }).join()).toContain("as claimMatch.subjectPattern");
  });

  test("each consent is for its own member", () => {
    const open = { issuerPattern: ".*", subjectPattern: ".*" };
    expect(ofMatch(open)).toHaveLength(2);
    expect(ofMatch(open, { allowAnyIssuer: true })).toHaveLength(1);
    expect(ofMatch(open, { allowAnyIssuer: true, allowAnySubject: true })).toEqual([]);
  });

  describe("a login that the state has", () => {
    const match = { issuer: github, subjectPattern: "^repo:.*$", claims: { environment: "live" } };
    const checkedAfter = (olds: Inputs, news: Inputs) =>
      check({ kind: identity, olds: { ...base, ...olds }, news: { ...base, ...news } }, { organization: undefined }).failures.map(
        ({ property }) => property,
      );
    test("is no error, whatever else changes", () => {
      expect(checkedAfter({ claimMatch: match }, { claimMatch: match, description: "new" })).toEqual([]);
      expect(checkedAfter({ claimMatch: { ...match, issuerPattern: "" } }, { claimMatch: { ...match, audience: "a" } })).toEqual(
        [],
      );
      expect(checkedAfter({ awsIdentity: openAws }, { awsIdentity: { ...openAws } })).toEqual([]);
    });
    test.each<[string, Inputs]>([
      ["another pattern", { ...match, subjectPattern: "^repo:.+$" }],
      ["another claim", { ...match, claims: { environment: "test" } }],
      ["another issuer", { ...match, issuer: "https://gitlab.com" }],
    ])("is an error with %s", (_, claimMatch) => {
      expect(checkedAfter({ claimMatch: match }, { claimMatch })).toEqual(["claimMatch.subjectPattern"]);
    });
    test("is an error in another form", () => {
      expect(checkedAfter({ claimMatch: match }, { awsIdentity: openAws })).toEqual(["awsIdentity.arnPattern"]);
    });
  });
  const openAws = { awsAccount: "123456789012", arnPattern: ".*", userIdPattern: ".*" };

  test("a claim whose name previews do not show is rejected", () => {
    for (const claims of ["claims", "claimPatterns"])
      expect(ofMatch({ issuer, subject: "s", [claims]: { ref: "main", __ref: "main" } })).toEqual([
        `claimMatch.${claims}.__ref must have another name: previews do not show names that begin with __`,
      ]);
  });

  test("the consent is never sent and never in state", () => {
    const consent = { allowAnySubject: true, allowAnyIssuer: false, allowAnyPrincipal: true };
    const { inputs, failures } = checked({ claimMatch: { issuer, subjectPattern: ".*" }, ...consent });
    expect(failures).toEqual([]);
    expect(inputs).toEqual({ ...base, claimMatch: { issuer, subjectPattern: ".*" } });
    expect(reasons({ claimMatch, allowAnySubject: "yes" })).toEqual(["allowAnySubject must be true or false"]);
  });

  const account = "123456789012";
  const ofAws = (form: Inputs, more: Inputs = {}) => reasons({ awsIdentity: { awsAccount: account, ...form }, ...more });
  const anySession = (role: string) => `^arn:aws:sts::${account}:assumed-role/${role}/[^/]+$`;
  test.each([
    [".*", ".*"],
    ["arn:aws:.*", "^[A-Z0-9]+:.+$"],
    [anySession(".*"), ".*"],
    [anySession(".+"), "^AROA.+$"],
    [`^arn:aws:sts::${account}:assumed-role/.*/deploy$`, ".+:deploy$"],
    [`^arn:aws:iam::${account}:role/[\\w-]+$`, "^AROA[A-Z0-9]+$"],
    [`^arn:aws:iam::${account}:user/`, "AIDA.*"],
    [anySession("AWSReservedSSO_[A-Za-z]+_[0-9a-f]+"), ".*"],
  ])("the AWS patterns %s and %s let anybody in the account in", (arnPattern, userIdPattern) => {
    const form = { arnPattern, userIdPattern };
    expect(ofAws(form).join()).toMatch(/lets in anybody in AWS account 123456789012\..*Set allowAnyPrincipal: true/s);
    expect(ofAws(form, { allowAnyPrincipal: true })).toEqual([]);
    expect(ofAws(form, { allowAnySubject: true })).toHaveLength(1);
    expect(ofAws(form, { allowAnyPrincipal: unknownValue })).toEqual([]);
  });

  test.each<Inputs>([
    { arnPattern: anySession("deploy"), userIdPattern: ".*" },
    { arnPattern: ".*", userIdPattern: "^AROAEXAMPLE:.+$" },
    { arnPattern: ".*", userId: "AROAEXAMPLE:ci" },
    { arn: `arn:aws:iam::${account}:role/ci`, userIdPattern: ".*" },
    { arnPattern: unknownValue, userIdPattern: ".*" },
  ])("an AWS form that names a role or user passes: %j", (form) => {
    expect(ofAws(form)).toEqual([]);
  });

  test("a wildcard in an exact ARN or unique id, which would match nobody, is rejected", () => {
    expect(ofAws({ arn: `arn:aws:iam::${account}:role/*`, userId: "AROAEXAMPLE:*" })).toEqual([
      "awsIdentity.arn is compared exactly, without wildcards: write arnPattern instead",
      "awsIdentity.userId is compared exactly, without wildcards: write userIdPattern instead",
    ]);
  });

  test("the library for them is loaded with the first pattern, not with the provider", () => {
    let isLoaded = false;
    jest.isolateModules(() => {
      jest.doMock("re2js", () => {
        isLoaded = true;
        return jest.requireActual<object>("re2js");
      });
      // eslint-disable-next-line @typescript-eslint/no-require-imports -- a module registry of its own
      const { kinds } = require("../../provider/kinds/kinds") as typeof import("../../provider/kinds/kinds");
      const parse = (match: object) => kinds.identity.inputs.safeParse({ ...base, claimMatch: match }).success;
      expect([parse(claimMatch), isLoaded]).toEqual([true, false]);
      expect([parse({ issuer, subjectPattern: "^s$" }), isLoaded]).toEqual([true, true]);
    });
    jest.dontMock("re2js");
  });
});
