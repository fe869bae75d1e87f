import type { Values } from "./values";
import type { Problem } from "./declaration";
import { unknownValue } from "./inputs";
import { isFound, matchedStrangers, type Strangers } from "./pattern";

/** Names of two unrelated customers without a common character, and the other ids that issuers give customers: numbers, UUIDs, keys. */
const [one, other] = ["jbxq", "wzkv"];
const uuids = ["01357911-1357-4135-9135-bdf135791357", "86420864-2468-4246-8246-8ace24680246"] as const;
const keys = ["0135791BDF0135791BDF0135791BDF01", "8642ACE8642ACE8642ACE8642ACE8642"] as const;
const numbers = ["13579", "24680"] as const;

/** The text of `form` for each of the two: `*` stands for a name, `#` for digits. */
function pairOf(form: string, [first, second]: readonly [string, string] = [one, other]): readonly [string, string] {
  return [form.replaceAll("*", first).replaceAll("#", numbers[0]), form.replaceAll("*", second).replaceAll("#", numbers[1])];
}

/**
 * Pairs of names that anybody can register and that begin or end with a name in `pattern`: `^repo:acme` also accepts `acme-labs`. A
 * name that a separator closes has no such neighbours at that end.
 *
 * @param form of a name
 * @param isChosen false for a name that customers cannot choose. Default: they can choose every name
 */
function neighboursIn(pattern: string, form: RegExp, isChosen: (name: string) => boolean = () => true): Strangers {
  const text = literalsIn(pattern);
  const isClosed = (index: number) => /[/:@.]/.test(text.charAt(index));
  const names = [...text.matchAll(form)].filter(([name]) => isChosen(name));
  const pairs = names.flatMap(({ 0: name, index }) => [
    ...(isClosed(index + name.length) ? [] : [pairOf(`${name}*`), pairOf(`${name}-*`)]),
    ...(isClosed(index - 1) ? [] : [pairOf(`*${name}`), pairOf(`*-${name}`)]),
  ]);
  return pairs.slice(0, mostNeighbours);
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
function issuersFor(pattern: string): Strangers {
  const regions = ["eu", "eu-west-1", "europe-west1", "us-east-1", ...(pattern.match(/[a-z0-9-]*[a-z][a-z0-9-]*/g) ?? [])];
  const inRegions = hosted.flatMap((form) =>
    form.includes("&") ? [...new Set(regions)].map((region) => form.replaceAll("&", region)) : [form],
  );
  const isId = /^(?:\d+|[\da-f-]{16,})$/i;
  const neighbours = neighboursIn(pattern, /\w+(?:-\w+)*/g, (name) => !isId.test(name));
  return [...ownDomains, ...inRegions].flatMap((form) =>
    [[one, other] as const, ...neighbours, numbers, uuids, keys].map((names) => pairOf(form, names)),
  );
}

/** Unrelated subjects of every usual length, among them the digits, UUIDs and addresses by which issuers identify people. */
const subjects: Strangers = [
  ...["*", "#", "*@*.com", "*@gmail.com"].map((form) => pairOf(form)),
  [one.toUpperCase(), other.toUpperCase()],
  ["jbxq:13579/JBXQ_j@b", "wzkv-24680.WZKV|w+z"],
  uuids,
  ...Array.from({ length: 80 }, (_, length) => length + 1).flatMap((length) =>
    [[one, other] as const, numbers, keys].map(([first, second]) => [cut(first, length), cut(second, length)] as const),
  ),
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

/** Words of a pattern that are tried as names, and neighbours of names: more would only slow down the check. */
const [mostWords, mostNeighbours] = [12, 12];

/** The text that `pattern` asks for, with blanks for what it leaves open. */
function literalsIn(pattern: string): string {
  return pattern.replaceAll(/\(\?[a-zA-Z]+\)|(?:(?<!\\)\.|\[[^\]]*\])[*+?]|\\[a-zA-Z]/g, " ").replaceAll("\\", "");
}

/** The names in `pattern` that a customer may have chosen, whole and in parts: `release/1.0` and `1.0`. */
export function wordsIn(pattern: string): string[] {
  const runs = literalsIn(pattern).match(/[\w./-]+/g) ?? [];
  const parts = runs.flatMap((run) => run.split("/").map((_, index, all) => all.slice(index).join("/")));
  const names = parts.map((part) => part.replaceAll(/^\/+|\/+$/g, "")).filter((part) => part !== "");
  // The last ones name what anybody may choose; the first ones are the form of the issuer.
  return [...new Set(names)].slice(-mostWords);
}

/** Subjects of two customers of the shared issuers that the match accepts, with the names that the pattern asks for. */
function subjectsAt(issuer: unknown, issuerPattern: unknown, subjectPattern: unknown): Strangers {
  if (typeof subjectPattern !== "string") return [];
  const isMeant = (url: string) => url === issuer || (typeof issuerPattern === "string" && isFound(issuerPattern, url));
  const words = wordsIn(subjectPattern);
  const forms = Object.entries(shared).flatMap(([url, templates]) => (isMeant(url) ? templates : []));
  const names = ["*", ...words];
  const refs = [...new Set(["main", "master", "production", "v1.2.3", ...names])];
  const customers = [[one, other] as const, ...neighboursIn(subjectPattern, /\w+(?:[-.]\w+)*/g)];
  return forms.flatMap((form) =>
    names.flatMap((name) =>
      (form.includes("<ref>") ? refs : [""]).flatMap((ref) =>
        customers.map((pair) => pairOf(form.replace("<name>", name).replace("<ref>", ref), pair)),
      ),
    ),
  );
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
  if (typeof match !== "object" || match === null) return [];
  const { issuer, issuerPattern, subjectPattern, claims } = match as Values;
  const issuers = typeof issuerPattern === "string" ? issuersFor(issuerPattern) : [];
  const ofIssuer = isNarrowed(claims) ? [] : subjectsAt(issuer, issuerPattern, subjectPattern);
  return [
    ...problem("issuer", issuerPattern, issuers, inputs["allowAnyIssuer"]),
    ...problem("subject", subjectPattern, [...subjects, ...ofIssuer], inputs["allowAnySubject"]),
  ];
}

function problem(claim: "issuer" | "subject", pattern: unknown, strangers: Strangers, isAllowed: unknown): Problem[] {
  if (typeof pattern !== "string" || isAllowed === true || isAllowed === unknownValue) return [];
  const pair = matchedStrangers(pattern, strangers);
  if (pair === undefined) return [];
  const [property, consent] =
    claim === "issuer" ? ["claimMatch.issuerPattern", "allowAnyIssuer"] : ["claimMatch.subjectPattern", "allowAnySubject"];
  const [first, second] = pair.map((text) => JSON.stringify(text));
  const reason =
    `${property} lets anybody in: it matches ${claim} ${first} as well as ${second}. ` +
    `Narrow it, or set ${consent}: true if other members of claimMatch decide who may log in`;
  return [{ property, reason }];
}
