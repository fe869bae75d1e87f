import type { Values } from "../schema/values";
import { snakeCase } from "../schema/wire-names";
import type { Kind } from "../schema/kind";
import { kinds } from "../kinds/kinds";

/** A field with a different name or form in the other provider than our name in snake case. */
export interface Attribute {
  /** Its name there. Default: our name in snake case. */
  readonly from?: string;
  /** The members of a message. Default: the same names, in snake case. */
  readonly members?: Attributes;
  /** Converts its value. Default: the same value. */
  readonly convert?: (value: unknown) => unknown;
}

/** Fields by our names, with the other provider's name or more. Outputs that are not listed are left to the first refresh. */
export type Attributes = Readonly<Record<string, string | Attribute>>;

/** The conversion of a Terraform type to a kind of resource. */
export interface Conversion {
  readonly kind: Kind;
  readonly attributes: Attributes;
  /** Paths of attributes set only by the platform, or only for Terraform. */
  readonly ignored?: readonly string[];
  /** Arguments that the states of the other provider lack. */
  readonly assumed?: Values;
  /** A remark for the user on each object. */
  readonly note?: string;
  /** Computes inputs from several attributes. */
  readonly more?: (attributes: Values) => Values;
  /** The attributes that `more` reads. */
  readonly read?: readonly string[];
}

/** Terraform types that are converted, without the provider's prefix. */
export const conversions: Readonly<Record<string, Conversion>> = {
  group: { kind: kinds.group, attributes: { parentUid: "parent_id" }, ignored: ["kind", "resource_limits"] },
  identity: {
    kind: kinds.identity,
    attributes: {
      parentUid: "parent_id",
      staticKeys: { from: "static", members: { expirationTime: "expiration" } },
      awsIdentity: {
        members: { arn: "aws_arn", arnPattern: "aws_arn_pattern", userId: "aws_user_id", userIdPattern: "aws_user_id_pattern" },
      },
      servicePrincipal: { convert: prefixed("SERVICE_PRINCIPAL_") },
      createTime: "created_at",
    },
    ignored: ["updated_at", "last_seen"],
  },
  role: {
    kind: kinds.role,
    attributes: {
      parentUid: "parent_id",
      capabilities: { convert: (names) => (Array.isArray(names) ? names.map(capability) : names) },
    },
  },
  rolebinding: { kind: kinds.roleBinding, attributes: { parentUid: "group", identityUid: "identity", roleUid: "role" } },
  group_invite: {
    kind: kinds.groupInvite,
    attributes: { parentUid: "group", roleUid: "role", expirationTime: "expiration", code: "code" },
    assumed: { ttl: "86400s" },
    note: 'declare `ttl: "86400s"`, which the file assumes: the state has no such value, and another one creates another invite',
  },
  identity_provider: { kind: kinds.identityProvider, attributes: { parentUid: "parent_id" } },
  account_associations: {
    kind: kinds.accountAssociation,
    attributes: { parentUid: "group", github: { convert: () => undefined } },
    more: githubInstallations,
    read: ["github", "github_installation"],
  },
  image_repo: {
    kind: kinds.repo,
    attributes: {
      parentUid: "parent_id",
      catalogTier: { from: "tier", convert: prefixed("CATALOG_TIER_") },
      createTime: "create_time",
    },
    ignored: ["sync_config.expiration", "sync_config.unique_tags"],
  },
  image_tag: {
    kind: kinds.tag,
    // Pushes move a tag, and Terraform programs do not declare its digest.
    attributes: { repoUid: "repo_id", digest: { convert: () => undefined } },
    ignored: ["last_updated"],
  },
  subscription: { kind: kinds.subscription, attributes: { parentUid: "parent_id" } },
};

/** Why other types of the same provider are not converted. */
export const unconverted: Readonly<Record<string, string>> = {
  apko_build: "a build is an action, not an object; run it in your pipeline",
  image_repo_deployment: "deployments of repos are not part of the API that this package uses",
};

/** The functions that read what the other provider's data sources read, and our names of their attributes. */
export const sources: Readonly<Record<string, { readonly call: string; readonly attributes: Readonly<Record<string, string>> }>> =
  {
    group: { call: "iam:getGroup", attributes: { id: "uid", name: "name", parent_id: "parentUid", description: "description" } },
    identity: { call: "iam:getPerson", attributes: { id: "uid", issuer: "issuer", subject: "subject" } },
    role: { call: "iam:getRole", attributes: { id: "uid", name: "name", parent: "parentUid" } },
    image_repo: { call: "registry:getRepo", attributes: { id: "uid", name: "name", parent_id: "parentUid" } },
    image_repos: { call: "registry:getRepos", attributes: { name: "name", parent_id: "childrenOf" } },
  };

/** The attribute that holds the field `name`. */
export function attributeOf(attributes: Attributes, name: string): Attribute & { readonly from: string } {
  const attribute = attributes[name] ?? {};
  return typeof attribute === "string" ? { from: attribute } : { from: snakeCase(name), ...attribute };
}

/** Adds the `prefix` that the platform's enum has and the other provider leaves out. */
function prefixed(prefix: string): (value: unknown) => unknown {
  return (value) => (typeof value === "string" && value !== "" ? prefix + value : value);
}

/** The prefix of a capability in the platform's enum, by the first word of its name. Default: no prefix. */
const areas: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ["account_associations", "group_invites", "groups", "identity", "identity_providers", "policy", "role_bindings", "roles"].map(
      (word) => [word, "IAM_"],
    ),
  ),
  ...Object.fromEntries(
    [
      "attestations",
      "clusters",
      "namespaces",
      "nodes",
      "record_contexts",
      "record_policy_results",
      "record_signatures",
      "records",
      "risks",
      "sboms",
      "vuln_reports",
      "workloads",
    ].map((word) => [word, "TENANT_"]),
  ),
};

/** The platform's name for a capability that the other provider writes as `groups.create`. */
function capability(name: unknown): unknown {
  if (typeof name !== "string" || name.startsWith("CAP_")) return name;
  if (name === "identity_providers.scim.manage") return "CAP_IAM_SCIM_MANAGE";
  const [word = "", ...rest] = name.split(".");
  const path = word === "subscriptions" ? ["EVENTS_SUBSCRIPTION", ...rest] : [`${areas[word] ?? ""}${word}`, ...rest];
  return `CAP_${path.join("_").toUpperCase()}`;
}

interface Installation {
  app_id?: number | null;
  installation_id?: number | null;
  name?: string | null;
}

/** The blocks `github_installation`, or the single block `github` before them, by app. */
function githubInstallations({ github, github_installation: blocks }: Values): Values {
  const all = [...(github ? [github] : []), ...(Array.isArray(blocks) ? (blocks as unknown[]) : [])] as Installation[];
  if (all.length === 0) return {};
  const apps: Record<string, { installations: object[] }> = {};
  for (const { app_id, installation_id, name } of all) {
    const { installations } = (apps[String(app_id)] ??= { installations: [] });
    installations.push({ installationId: String(installation_id), ...(name && { name }) });
  }
  return { github: { appInstallations: apps } };
}
