import { isValues, type Values } from "./values";
import type { Problem } from "./declaration";
import { unknownValue } from "./inputs";
import { finder, unanalysed } from "./pattern";

/** Two names, or other texts that have no part in common which could identify a tenant. */
type TwoNames = readonly [string, string];

/**
 * Two texts of one form, for the first and the second name: `*` stands for the name, `#` for digits. A pattern that matches both is not
 * limited to one tenant.
 */
type Strangers = readonly [form: string, names: TwoNames];

/** Names of two unrelated customers without a common character, and the other ids that issuers give customers: numbers, UUIDs, keys. */
const [one, other] = ["jbxq", "wzkv"];
const uuids = ["01357911-1357-4135-9135-bdf135791357", "86420864-2468-4246-8246-8ace24680246"] as const;
const keys = ["0135791BDF0135791BDF0135791BDF01", "8642ACE8642ACE8642ACE8642ACE8642"] as const;
const numbers = ["13579", "24680"] as const;

/** The text of the form for the first name, or for the second one. */
function textOf([form, names]: Strangers, index: 0 | 1): string {
  return form.replaceAll("*", names[index]).replaceAll("#", numbers[index]);
}

/** The first pair of which the pattern is found in both texts: it would match anybody, whether or not the platform anchors patterns. */
function matchedStrangers(pattern: string, all: Iterable<Strangers>): TwoNames | undefined {
  const isFoundIn = finder(pattern);
  // Texts are made when they are needed: most patterns are found in no first one.
  for (const each of all) if (isFoundIn(textOf(each, 0)) && isFoundIn(textOf(each, 1))) return [textOf(each, 0), textOf(each, 1)];
  return undefined;
}

/**
 * Pairs of names that anybody can register and that begin or end with a name in `pattern`: `^repo:acme` also accepts `acme-labs`. A
 * name that a separator closes has no such neighbours at that end.
 *
 * @param form of a name
 * @param isChosen false for a name that customers cannot choose. Default: they can choose every name
 */
function neighboursIn(pattern: string, form: RegExp, isChosen: (name: string) => boolean = () => true): TwoNames[] {
  const text = literalsIn(pattern);
  const isClosed = (index: number) => /[/:@.]/.test(text.charAt(index));
  const names = [...text.matchAll(form)].filter(([name]) => isChosen(name));
  const forms = names.flatMap(({ 0: name, index }) => [
    ...(isClosed(index + name.length) ? [] : [`${name}*`, `${name}-*`]),
    ...(isClosed(index - 1) ? [] : [`*${name}`, `*-${name}`]),
  ]);
  return forms.slice(0, mostNeighbours).map((each) => [each.replace("*", one), each.replace("*", other)]);
}

/** Issuers on the customer's own domain. */
const ownDomains = ["com", "net", "org", "io", "dev", "app", "cloud", "co.uk"].flatMap((domain) => [
  `https://*.${domain}`,
  `https://*.${domain}/*/#`,
  `https://*.${domain}:#/`,
  `https://*.*.${domain}`,
]);

/** Issuers at services that give each customer an issuer, or host files for each. `&` stands for a region. */
const hosted = [
  "https://*.github.io",
  "https://*.okta.com",
  "https://*.auth0.com/",
  "https://*.&.auth0.com/",
  "https://api.bitbucket.org/2.0/workspaces/*/pipelines-config/identity/oidc",
  "https://cognito-idp.&.amazonaws.com/&_*",
  "https://container.googleapis.com/v1/projects/*/locations/&/clusters/*",
  "https://login.microsoftonline.com/*/v2.0",
  "https://oidc.circleci.com/org/*",
  "https://oidc.eks.&.amazonaws.com/id/*",
  "https://s3.amazonaws.com/*",
  "https://s3.&.amazonaws.com/*",
  "https://*.s3.amazonaws.com",
  "https://*.s3.&.amazonaws.com",
  "https://securetoken.google.com/*",
  "https://storage.googleapis.com/*",
  "https://sts.windows.net/*/",
  "https://vstoken.dev.azure.com/*",
];

/** Anybody can serve an issuer under a domain of their own, and get one from a service. The pattern may name the region. */
function* issuersFor(pattern: string): Generator<Strangers> {
  const named = new Set(pattern.match(/[a-z0-9-]*[a-z][a-z0-9-]*/g) ?? []);
  const usual = new Set(["eu", "eu-west-1", "europe-west1", "us-east-1", ...[...named].slice(0, mostWords)]);
  const isId = /^(?:\d+|[\da-f-]{16,})$/i;
  const neighbours = neighboursIn(pattern, /\w+(?:-\w+)*/g, (name) => !isId.test(name));
  const customers: readonly TwoNames[] = [[one, other], ...neighbours, numbers, uuids, keys];
  const inRegions = (regions: Iterable<string>) =>
    hosted.flatMap((form) => (form.includes("&") ? [...regions].map((region) => form.replaceAll("&", region)) : [form]));
  for (const form of [...ownDomains, ...inRegions(usual)]) for (const names of customers) yield [form, names];
  for (const form of inRegions(named)) yield [form, [one, other]];
}

/** Unrelated subjects of every usual length, among them the digits, UUIDs and addresses by which issuers identify people. */
const subjects: readonly Strangers[] = [
  ...["*", "#", "*@*.com", "*@gmail.com"].map((form): Strangers => [form, [one, other]]),
  ...[
    [one.toUpperCase(), other.toUpperCase()] as const,
    ["jbxq:13579/JBXQ_j@b", "wzkv-24680.WZKV|w+z"] as const,
    uuids,
    ...Array.from({ length: 80 }, (_, length) => length + 1).flatMap((length) =>
      [[one, other] as const, numbers, keys].map(([first, second]) => [cut(first, length), cut(second, length)] as const),
    ),
  ].map((names): Strangers => ["*", names]),
];

/** `text`, repeated to `length` characters. */
function cut(text: string, length: number): string {
  return text.repeat(Math.ceil(length / text.length)).slice(0, length);
}

/**
 * Subjects of two customers of shared issuers, from which anybody can get tokens. They differ in the parts that a customer cannot
 * choose. The parts that a customer can choose are `<name>` and `<ref>`: anybody can give them the value that a pattern asks for.
 */
const shared: Readonly<Record<string, readonly string[]>> = {
  "https://token.actions.githubusercontent.com": [
    "ref:refs/heads/<ref>",
    "ref:refs/tags/<ref>",
    "environment:<ref>",
    "pull_request",
  ].flatMap((context) => [`repo:*/<name>:${context}`, `repo:*@#/<name>@#:${context}`]),
  "https://gitlab.com": ["branch", "tag"].map((type) => `project_path:*/<name>:ref_type:${type}:ref:<ref>`),
  "https://agent.buildkite.com": ["organization:*:pipeline:<name>:ref:refs/heads/<ref>:commit:13579:step:build"],
  "https://app.terraform.io": ["plan", "apply"].map(
    (phase) => `organization:*:project:<name>:workspace:<ref>:run_phase:${phase}`,
  ),
  "https://api.pulumi.com/oidc": ["preview", "update"].map(
    (operation) => `pulumi:deploy:org:*:project:<name>:stack:<ref>:operation:${operation}:scope:write`,
  ),
};

/** The issuers from which anybody can get tokens, as these name them. */
export const sharedIssuers: readonly string[] = Object.keys(shared);

/** Words of a pattern that are tried as names, and neighbours of names: more would only slow down the check. */
const [mostWords, mostNeighbours] = [12, 12];

/** The text that `pattern` asks for, with blanks for what it leaves open. */
function literalsIn(pattern: string): string {
  return pattern.replaceAll(/\(\?[a-zA-Z]+\)|(?:(?<!\\)\.|\[[^\]]*\])[*+?]|\\[a-zA-Z]/g, " ").replaceAll("\\", "");
}

/** The names in `pattern` that a customer may have chosen, whole and in parts: `release/1.0` and `1.0`. */
export function wordsIn(pattern: string): string[] {
  const runs = literalsIn(pattern).match(/[\w./-]+/g) ?? [];
  const names = runs.flatMap((run) => {
    const parts = run.split("/").filter((part) => part !== "");
    return parts.map((_, index) => parts.slice(index).join("/"));
  });
  // The last ones name what anybody may choose; the first ones are the form of the issuer.
  return [...new Set(names)].slice(-mostWords);
}

/** Subjects of two customers of the shared issuers that the match accepts, with the names that the pattern asks for. */
function* subjectsAt(issuer: unknown, issuerPattern: unknown, pattern: string): Generator<Strangers> {
  const isFoundIn = typeof issuerPattern === "string" ? finder(issuerPattern) : () => false;
  const isMeant = (url: string) => url === issuer || isFoundIn(url);
  const forms = Object.entries(shared).flatMap(([url, templates]) => (isMeant(url) ? templates : []));
  const names = ["*", ...wordsIn(pattern)];
  const refs = [...new Set(["main", "master", "production", "v1.2.3", ...names])];
  const customers: readonly TwoNames[] = [[one, other], ...neighboursIn(pattern, /\w+(?:[-.]\w+)*/g)];
  for (const form of forms)
    for (const name of names)
      for (const ref of form.includes("<ref>") ? refs : [""]) {
        const text = form.replace("<name>", name).replace("<ref>", ref);
        for (const customer of customers) yield [text, customer];
      }
}

/** Claims that have the same value in tokens of many customers, so they identify no one. */
const commonClaims: ReadonlySet<string> = new Set([
  ...["aud", "base_ref", "branch", "build_branch", "build_source", "deployment_tier", "email_verified", "environment"],
  ...["environment_protected", "event_name", "head_ref", "job", "operation", "pipeline_source", "project_visibility", "ref"],
  ...["ref_path", "ref_protected", "ref_type", "repository_visibility", "run_attempt", "run_number", "runner_environment"],
  ...["scope", "step", "step_key", "terraform_run_phase", "token_use", "typ", "user_access_level", "ver", "workflow"],
]);

/** True where an exact claim may limit the match to one customer. */
export function isNarrowed(claims: unknown): boolean {
  if (typeof claims !== "object" || claims === null) return claims === unknownValue;
  return Object.keys(claims).some((name) => !commonClaims.has(name));
}

/**
 * Problems of patterns in a claim match that let anybody in, unless the program allows that with `allowAnyIssuer` and
 * `allowAnySubject`. If a distinctive exact claim narrows the match, a subject may belong to any customer of a shared issuer.
 */
export function openPatterns(inputs: Values): Problem[] {
  const match = inputs["claimMatch"];
  if (!isValues(match)) return [];
  const { issuer, issuerPattern, subjectPattern, claims } = match;
  const subjectsFor = function* (pattern: string) {
    yield* subjects;
    if (!isNarrowed(claims)) yield* subjectsAt(issuer, issuerPattern, pattern);
  };
  return [
    ...patternProblems("issuer", issuerPattern, issuersFor, inputs["allowAnyIssuer"]),
    ...patternProblems("subject", subjectPattern, subjectsFor, inputs["allowAnySubject"]),
  ];
}

function patternProblems(
  claim: "issuer" | "subject",
  pattern: unknown,
  strangersFor: (pattern: string) => Iterable<Strangers>,
  isAllowed: unknown,
): Problem[] {
  if (typeof pattern !== "string" || isAllowed === true || isAllowed === unknownValue) return [];
  const [property, consent] =
    claim === "issuer" ? ["claimMatch.issuerPattern", "allowAnyIssuer"] : ["claimMatch.subjectPattern", "allowAnySubject"];
  const isDecided = `set ${consent}: true if other members of claimMatch decide who may log in`;
  const why = unanalysed(pattern);
  if (why !== undefined)
    return [
      {
        property,
        reason: `${property} counts as one that lets anybody in: it is not analysed, because ${why}. Shorten it, or ${isDecided}`,
      },
    ];
  const pair = matchedStrangers(pattern, strangersFor(pattern));
  if (pair === undefined) return [];
  const [first, second] = pair.map((text) => JSON.stringify(text));
  const reason = `${property} lets anybody in: it matches ${claim} ${first} as well as ${second}. Narrow it, or ${isDecided}`;
  return [{ property, reason }];
}
