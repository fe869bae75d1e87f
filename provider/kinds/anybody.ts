import type { Values } from "./canonical";
import type { Problem } from "./declaration";
import { unknownValue } from "./inputs";
import { matchedStrangers, type Strangers } from "./pattern";

/** Names of two strangers without a common character. */
const [one, other] = ["jbxq", "wzkv"];

/** The text of `form` for each of the two: `*` stands for a name, `#` for digits. */
function pairOf(form: string): readonly [string, string] {
  return [form.replaceAll("*", one).replaceAll("#", "13579"), form.replaceAll("*", other).replaceAll("#", "24680")];
}

/** Anybody can serve an issuer under a domain of their own, and get one from a service that issues tokens for each of its customers. */
const issuers: Strangers = [
  ...["com", "net", "org", "io", "dev", "app", "cloud", "co.uk"].flatMap((domain) => [
    `https://*.${domain}`,
    `https://*.${domain}/*/#`,
    `https://*.${domain}:#/`,
    `https://*.*.${domain}`,
  ]),
  "https://*.github.io",
  "https://*.okta.com",
  "https://*.eu.auth0.com/",
  "https://api.bitbucket.org/2.0/workspaces/*/pipelines-config/identity/oidc",
  "https://container.googleapis.com/v1/projects/*/locations/europe-west1/clusters/*",
  "https://login.microsoftonline.com/*/v2.0",
  "https://oidc.circleci.com/org/*",
  "https://oidc.eks.eu-west-1.amazonaws.com/id/*",
  "https://oidc.eks.us-east-1.amazonaws.com/id/#",
].map(pairOf);

/** Subjects that have nothing in common; digits, UUIDs and addresses are what issuers number or name everybody by. */
const subjects: Strangers = [
  ...["*", "#", "*".repeat(20), "#".repeat(4), "*@*.com", "*@gmail.com"].map(pairOf),
  [one.toUpperCase(), other.toUpperCase()],
  ["jbxq:13579/JBXQ_j@b", "wzkv-24680.WZKV|w+z"],
  ["01357911-1357-4135-9135-bdf135791357", "86420864-2468-4246-8246-8ace24680246"],
];

/** Subjects of issuers that anybody gets tokens from: of two customers, in what one may choose. The rest is what many have. */
const shared: Readonly<Record<string, readonly string[]>> = {
  "https://token.actions.githubusercontent.com": [
    ...["heads/main", "heads/master", "tags/v1.2.3"].map((ref) => `ref:refs/${ref}`),
    "environment:production",
    "pull_request",
  ].flatMap((context) => [`repo:*/*:${context}`, `repo:*@#/*@#:${context}`]),
  "https://gitlab.com": ["branch:ref:main", "branch:ref:master", "tag:ref:v1.2.3"].map(
    (context) => `project_path:*/*:ref_type:${context}`,
  ),
  "https://agent.buildkite.com": ["main", "master"].map(
    (branch) => `organization:*:pipeline:*:ref:refs/heads/${branch}:commit:13579:step:build`,
  ),
  "https://app.terraform.io": ["plan", "apply"].map((phase) => `organization:*:project:*:workspace:*:run_phase:${phase}`),
  "https://api.pulumi.com/oidc": ["preview", "update"].map(
    (operation) => `pulumi:deploy:org:*:project:*:stack:*:operation:${operation}:scope:write`,
  ),
};

/**
 * What is wrong with the patterns of a claim match that let anybody in, unless the program says that they may: `allowAnyIssuer` and
 * `allowAnySubject`. Where an exact claim narrows the match, a subject may belong to any customer of a shared issuer.
 */
export function openPatterns(inputs: Values): Problem[] {
  const match = inputs["claimMatch"];
  if (typeof match !== "object" || match === null) return [];
  const { issuer, issuerPattern, subjectPattern, claims } = match as Values;
  const isNarrowed = claims === unknownValue || (typeof claims === "object" && claims !== null && Object.keys(claims).length > 0);
  const ofIssuer = !isNarrowed && typeof issuer === "string" && Object.hasOwn(shared, issuer) ? (shared[issuer] ?? []) : [];
  return [
    ...problem("issuer", issuerPattern, issuers, inputs["allowAnyIssuer"]),
    ...problem("subject", subjectPattern, [...subjects, ...ofIssuer.map(pairOf)], inputs["allowAnySubject"]),
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
    `Write what the ${claim} must be, or set ${consent}: true if other members of claimMatch decide who may log in`;
  return [{ property, reason }];
}
