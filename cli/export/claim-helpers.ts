import { isDeepStrictEqual } from "node:util";
import * as claims from "../../sdk/resources/claims";
import * as pipelines from "../../sdk/resources/pipeline-claims";
import * as workloads from "../../sdk/resources/workload-claims";
import { longestText } from "../../provider/schema/pattern";
import { present, type Values } from "../../provider/schema/values";

/** A call of a claim helper. */
interface Call {
  readonly helper: string;
  readonly args: Readonly<Record<string, string | true>>;
  /** Members of the match that the helper does not return. */
  readonly more: Values;
}

/** A helper, and a function that finds the arguments of a match. */
interface Inverse {
  readonly helper: string;
  readonly call: (args: never) => object;
  /** Includes an audience only if the match has none, because the audience is added where the helper takes one. */
  readonly argumentsOf: (match: Texts) => (Readonly<Record<string, string | true | undefined>> | undefined)[];
}

/** The texts of a match; empty for a missing member. */
interface Texts {
  readonly issuer: string;
  readonly subject: string;
  readonly subjectPattern: string;
  readonly audience: string;
  /** The workflow that a claim requires. */
  readonly workflow: string | undefined;
}

const uuid = "[0-9a-f-]{36}";

const inverses: readonly Inverse[] = [
  {
    helper: "githubActions",
    call: claims.githubActions,
    argumentsOf: ({ subject, subjectPattern, workflow }) => {
      const either = groups(subjectPattern, /^\^repo:\(\?:(?<repository>[^:|()]+)\|(?<formerly>[^:|()]+)\)(?<context>:.+)\$$/s);
      const text = either ? `repo:${either["repository"]}${either["context"]}` : subjectPattern;
      // Without a `*`, both patterns and subjects describe one branch, tag or environment.
      const found = githubArguments(subject || formOf(text));
      const args = found && {
        repository: found["repository"],
        formerly: either && unescaped(either["formerly"] ?? ""),
        ...found,
      };
      return args === undefined ? [] : [{ ...args, workflow }, args];
    },
  },
  {
    helper: "gitlabCi",
    call: claims.gitlabCi,
    argumentsOf: ({ issuer, subject, subjectPattern }) => {
      const server = issuer === "https://gitlab.com" ? undefined : issuer;
      const exact = groups(subject, /^project_path:(?<project>[^:]+):ref_type:(?:branch:ref:(?<branch>.+)|tag:ref:(?<tag>.+))$/);
      const tags = groups(formOf(subjectPattern), /^project_path:(?<project>[^:]+):ref_type:tag:ref:(?<tags>.+)$/);
      return [exact ?? tags].map((args) => args && { ...args, server });
    },
  },
  {
    helper: "buildkite",
    call: pipelines.buildkite,
    argumentsOf: ({ subjectPattern }) => [
      groups(
        unescaped(subjectPattern),
        /^\^organization:(?<organization>[^:]+):pipeline:(?<pipeline>[^:]+):ref:refs\/heads\/(?<branch>.+):commit:/,
      ),
    ],
  },
  {
    helper: "bitbucketPipelines",
    call: pipelines.bitbucketPipelines,
    argumentsOf: ({ issuer, subjectPattern, audience }) => {
      const places = new RegExp(`^\\^\\{(?<repositoryUuid>${uuid})\\}:(?:\\{(?<environmentUuid>${uuid})\\}:)?`);
      return [
        together(
          groups(issuer, /\/workspaces\/(?<workspace>[^/]+)\//),
          groups(audience, /workspace\/(?<workspaceUuid>.+)$/),
          groups(unescaped(subjectPattern), places),
        ),
      ];
    },
  },
  {
    helper: "circleci",
    call: pipelines.circleci,
    argumentsOf: ({ subjectPattern, audience }) => {
      const args = groups(unescaped(subjectPattern), /^\^org\/(?<organizationId>[^/]+)\/project\/(?<projectId>[^/]+)\//);
      return [args && { ...args, audience: audience === args["organizationId"] ? undefined : audience }];
    },
  },
  {
    helper: "pulumiDeployments",
    call: pipelines.pulumiDeployments,
    argumentsOf: ({ subject }) => [
      groups(
        subject,
        /^pulumi:deploy:org:(?<organization>[^:]+):project:(?<project>[^:]+):stack:(?<stack>[^:]+):operation:(?<operation>[^:]+):scope:write$/,
      ),
    ],
  },
  {
    helper: "hcpTerraform",
    call: pipelines.hcpTerraform,
    argumentsOf: ({ subject }) => [
      groups(
        subject,
        /^organization:(?<organization>[^:]+):project:(?<project>[^:]+):workspace:(?<workspace>[^:]+):run_phase:(?<phase>[^:]+)$/,
      ),
    ],
  },
  {
    helper: "kubernetes",
    call: workloads.kubernetes,
    argumentsOf: ({ issuer, subject }) => {
      const args = groups(subject, /^system:serviceaccount:(?<namespace>[^:]+):(?<name>[^:]+)$/);
      return [args && { issuer, ...args }];
    },
  },
  {
    helper: "azureManagedIdentity",
    call: workloads.azureManagedIdentity,
    argumentsOf: ({ issuer, subject: principalId, audience: clientId }) => {
      const args = groups(issuer, /^https:\/\/login\.microsoftonline\.com\/(?<tenantId>[^/]+)\/v2\.0$/);
      return [args && { ...args, principalId, clientId }];
    },
  },
  {
    helper: "googleServiceAccount",
    call: workloads.googleServiceAccount,
    argumentsOf: ({ subject: uniqueId }) => [{ uniqueId }],
  },
  {
    helper: "keycloak",
    call: workloads.keycloak,
    argumentsOf: ({ issuer, subject: userId }) => [{ issuer, userId }],
  },
  {
    helper: "jenkins",
    call: pipelines.jenkins,
    argumentsOf: ({ issuer, subject: job }) => [{ issuer, job }],
  },
];

/** The arguments of `githubActions` for a subject, in which `*` stands for a part of tags. */
function githubArguments(subject: string): Readonly<Record<string, string | true | undefined>> | undefined {
  const found = groups(
    subject,
    /^repo:(?<repository>[^:]+):(?:ref:refs\/heads\/(?<branch>.+)|ref:refs\/tags\/(?:(?<tags>.*\*.*)|(?<tag>.+))|environment:(?<environment>.+)|(?<pullRequest>pull_request))$/,
  );
  return (
    found && {
      ...found,
      ...(found["environment"] !== undefined && { environment: found["environment"].replaceAll("%3A", ":") }),
      ...(found["pullRequest"] !== undefined && { pullRequest: true as const }),
    }
  );
}

/** The names of all helpers, which programs import. */
export const helperNames: readonly string[] = [...inverses.map(({ helper }) => helper), "awsRole"];

/** The helper call that returns exactly this `claimMatch` or a part of it; undefined if there is none. */
export function claimHelper(match: Values): Call | undefined {
  const text = (name: string) => (typeof match[name] === "string" ? match[name] : "");
  const texts: Texts = {
    issuer: text("issuer"),
    subject: text("subject"),
    subjectPattern: text("subjectPattern"),
    audience: text("audience"),
    workflow: (match["claims"] as Record<string, string> | undefined)?.["job_workflow_ref"],
  };
  // No helper makes a text of this length, and the search could take long.
  if (Object.values(texts).some((each: string | undefined) => (each?.length ?? 0) > longestText)) return undefined;
  const audience = texts.audience || undefined;
  for (const { helper, call, argumentsOf } of inverses) {
    for (const args of argumentsOf(texts).flatMap((each) => (each === undefined ? [] : [{ ...each, audience, ...each }, each]))) {
      const found = verified(helper, call, present(Object.entries(args)), match);
      if (found) return found;
    }
  }
  return undefined;
}

/** The call of `awsRole` that returns exactly this `awsIdentity`; undefined if none does. */
export function awsHelper(match: Values): Call | undefined {
  const role = groups(unescaped(String(match["arnPattern"])), /^\^arn:aws:sts::(?<account>\d+):assumed-role\/(?<role>[^/]+)\//);
  const id = groups(String(match["userIdPattern"]), /^\^(?<roleId>[A-Z0-9]+):/);
  return role && id && verified("awsRole", workloads.awsRole, present(Object.entries({ ...role, ...id })), match);
}

/** The call, if `match` contains everything that the call returns. */
function verified(helper: string, call: Inverse["call"], args: Call["args"], match: Values): Call | undefined {
  let made: object;
  try {
    made = call(args as never);
  } catch {
    return undefined;
  }
  if (!Object.entries(made).every(([name, value]) => isDeepStrictEqual(JSON.parse(JSON.stringify(match[name] ?? null)), value)))
    return undefined;
  return { helper, args, more: Object.fromEntries(Object.entries(match).filter(([name]) => !(name in made))) };
}

function groups(text: string, form: RegExp): Record<string, string | undefined> | undefined {
  const found = form.exec(text)?.groups;
  return found && { ...found };
}

function together<Part extends object>(...parts: (Part | undefined)[]): Part | undefined {
  return parts.includes(undefined) ? undefined : (Object.assign({}, ...parts) as Part);
}

/** The text from which helpers make an anchored pattern, with `*` for any text without a slash. */
function formOf(pattern: string): string {
  return unescaped(pattern.replaceAll("[^/]*", "*")).replaceAll(/^\^|\$$/g, "");
}

/** `pattern` without backslashes, as a possible argument of a helper. The caller checks that the helper makes the same pattern from it. */
function unescaped(pattern: string): string {
  return pattern.replaceAll(/\\(.)/gs, "$1");
}
