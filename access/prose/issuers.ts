import { alternatives } from "../../provider/client/printable";
import { unknownValue } from "../../provider/schema/inputs";
import { longestText, unanalysed } from "../../provider/schema/pattern";
import { notKnown, quotedInWords, valueInWords } from "../values";

/** The meaning of an issuer's subjects, in the form that the helpers of the package write (docs/resources/identity.md). */
interface Issuer {
  readonly url: RegExp;
  readonly name: string;
  /** Forms of its subjects, each with its meaning for people; `$1` is the first group. */
  readonly forms: readonly (readonly [form: RegExp, words: string])[];
}

/** Subjects of self-hosted issuers have the same form, and then the text names the address too. */
const issuers: readonly Issuer[] = [
  {
    url: /^https:\/\/token\.actions\.githubusercontent\.com$/,
    name: "GitHub",
    forms: [
      [/^repo:([^:]+):ref:refs\/heads\/(.+)$/, "GitHub $1, branch $2"],
      [/^repo:([^:]+):ref:refs\/tags\/(.+)$/, "GitHub $1, tag $2"],
      [/^repo:([^:]+):environment:(.+)$/, "GitHub $1, environment $2"],
      [/^repo:([^:]+):pull_request$/, "GitHub $1, pull requests"],
      [/^repo:([^:]+):\*$/, "GitHub $1, anything"],
    ],
  },
  {
    url: /^https:\/\/.*gitlab.*$/,
    name: "GitLab",
    forms: [
      [/^project_path:([^:]+):ref_type:branch:ref:(.+)$/, "GitLab $1, branch $2"],
      [/^project_path:([^:]+):ref_type:tag:ref:(.+)$/, "GitLab $1, tag $2"],
      [/^project_path:([^:]+):\*$/, "GitLab $1, anything"],
    ],
  },
  {
    url: /^https:\/\/agent\.buildkite\.com$/,
    name: "Buildkite",
    forms: [[/^organization:([^:]+):pipeline:([^:]+):ref:refs\/heads\/([^:]+):commit:.*$/, "Buildkite $1/$2, branch $3"]],
  },
  {
    url: /^https:\/\/api\.bitbucket\.org\/2\.0\/workspaces\/([^/]+)\/pipelines-config\/identity\/oidc$/,
    name: "Bitbucket",
    forms: [
      [/^\{([^}]+)\}:\{([^}]+)\}:.*$/, "Bitbucket repository $1, environment $2"],
      [/^\{([^}]+)\}:.*$/, "Bitbucket repository $1"],
    ],
  },
  {
    url: /^https:\/\/oidc\.circleci\.com\/org\/.+$/,
    name: "CircleCI",
    forms: [[/^org\/([^/]+)\/project\/([^/]+)\/user\/.*$/, "CircleCI project $2"]],
  },
  {
    url: /^https:\/\/api\.pulumi\.com\/oidc$/,
    name: "Pulumi Deployments",
    forms: [
      [
        /^pulumi:deploy:org:([^:]+):project:([^:]+):stack:([^:]+):operation:([^:]+):scope:write$/,
        "Pulumi Deployments $1/$2/$3, $4",
      ],
    ],
  },
  {
    url: /^https:\/\/app\.terraform\.io$/,
    name: "HCP Terraform",
    forms: [[/^organization:([^:]+):project:([^:]+):workspace:([^:]+):run_phase:([^:]+)$/, "HCP Terraform $1/$3, $4"]],
  },
  {
    url: /^https:\/\/login\.microsoftonline\.com\/[^/]+\/v2\.0$/,
    name: "Azure",
    forms: [[/^([0-9a-f-]{36})$/, "Azure managed identity $1"]],
  },
  { url: /^https:\/\/accounts\.google\.com$/, name: "Google", forms: [[/^(\d+)$/, "Google account $1"]] },
];

/** Subjects with one meaning at every issuer. */
const anyIssuer: Issuer["forms"] = [[/^system:serviceaccount:([^:]+):([^:]+)$/, "Kubernetes service account $1/$2"]];

/** `GitHub acme/shop, branch main`; undefined if the form of the subject or pattern is unknown. */
export function subjectInWords(issuer: string, subject: string | undefined, pattern: string | undefined): string | undefined {
  const text = subject ?? (pattern === undefined ? undefined : globOf(withAlternatives(pattern)));
  // A `*` in an exact subject is no wildcard, and a separator of alternatives must come from this file.
  if (text === undefined || subject?.includes("*") || (subject ?? pattern)?.includes(separator)) return undefined;
  if (Math.max(text.length, issuer.length) > longestText) return undefined;
  const known = issuers.find(({ url }) => url.test(issuer));
  const isShared = known !== undefined && (known.name !== "GitLab" || issuer === "https://gitlab.com");
  const at = isShared ? "" : ` at ${valueInWords(issuer)}`;
  const [form, words] = [...(known?.forms ?? []), ...anyIssuer].find(([each]) => each.test(text)) ?? [];
  const parts = form?.exec(text);
  return parts && words
    ? `${words.replaceAll(/\$(\d)/g, (_, number: string) => alternativesInWords(parts[Number(number)] ?? ""))}${at}`
    : undefined;
}

const separator = "\u{1}";

/** `acme@1/shop@2 or acme/shop` for alternatives with separators between them. */
function alternativesInWords(text: string): string {
  return alternatives(text.split(separator).map(valueInWords));
}

/**
 * The pattern with a separator between the alternatives of its repository or project, without their group, if each is the whole name as
 * plain text. The helper for GitHub writes the new and the old name of a repository in that form.
 */
function withAlternatives(pattern: string): string {
  const form = /^(\^(?:repo|project_path):)\(\?:((?:[\w@/|-]|\\\.)+)\)(:.*)$/s;
  const [, before = "", inner, after = ""] = unanalysed(pattern) === undefined ? (form.exec(pattern) ?? []) : [];
  return inner === undefined ? pattern : `${before}${inner.replaceAll("|", separator)}${after}`;
}

/** `GitHub`, or the address of an issuer that has no name. */
export function issuerInWords(issuer: string | undefined): string {
  const known = issuers.find(({ url, name }) => name !== "GitLab" && issuer !== undefined && url.test(issuer));
  if (known !== undefined) return known.name;
  if (issuer === undefined) return "an issuer that is not shown";
  return issuer === "https://gitlab.com" ? "GitLab" : valueInWords(issuer);
}

/** Further claims: `workflow acme/workflows/.github/workflows/deploy.yml@refs/heads/main`. */
export function claimsInWords(exact: unknown, patterns: unknown): string[] {
  return [
    ...(exact === unknownValue || patterns === unknownValue ? [`claims ${notKnown}`] : []),
    ...entriesOf(exact).map(([claim, value]) => `${claimInWords(claim)} ${valueInWords(value)}`),
    ...entriesOf(patterns).map(([claim, value]) => `${claimInWords(claim)} matching ${patternInWords(value)}`),
  ];
}

/** A pattern in a sentence, after "matching". It is quoted, with the reason if its matches are unknown. */
export function patternInWords(pattern: unknown): string {
  const why = typeof pattern === "string" ? unanalysed(pattern) : undefined;
  return `${quotedInWords(pattern)}${why === undefined ? "" : ` (not analysed, because ${why})`}`;
}

/** Everybody who can push can choose the name of a GitHub workflow, which is the claim `workflow`. */
function claimInWords(claim: string): string {
  if (claim === "job_workflow_ref") return "workflow";
  return claim === "workflow" || claim === "audience" ? `claim ${claim}` : valueInWords(claim);
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

/**
 * A pattern anchored at both ends that consists of texts and simple wildcards, with `*` for each wildcard; undefined for any other pattern.
 */
export function globOf(pattern: string): string | undefined {
  const inner = unanalysed(pattern) === undefined ? /^\^(.*)\$$/s.exec(pattern)?.[1] : undefined;
  if (inner === undefined || inner.includes("\\*")) return undefined;
  const glob = inner.replaceAll(/(?<!\\)(?:\.|\[\^?(?:[^\]\\]|\\.)*\])[*+]/g, "\u{0}");
  // Any other character with a meaning in patterns, even a plain dot, is no simple wildcard.
  if (/(?<!\\)[.*+?()[\]{}|^$]|\\[A-Za-z0-9]/.test(glob)) return undefined;
  return glob.replaceAll(/\\(.)/gs, "$1").replaceAll("\u{0}", "*");
}
