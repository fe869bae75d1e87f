import type { Field, Message } from "../wire/message";
import { document, type Schema } from "./document";

const prefix = "#/components/schemas/";

/** Members of which at most one is set, by message and oneof. The contract does not show oneofs. */
const oneofs: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "iam.Identity": { relationship: ["claimMatch", "staticKeys", "awsIdentity", "servicePrincipal"] },
  "iam.Identity.ClaimMatch": {
    issuer_match: ["issuer", "issuerPattern"],
    subject_match: ["subject", "subjectPattern"],
    audience_match: ["audience", "audiencePattern"],
  },
  "iam.Identity.AWSIdentity": { arn_match: ["arn", "arnPattern"], user_match: ["userId", "userIdPattern"] },
  "iam.IdentityProvider": { configuration: ["oidc"] },
  "vulnerabilities.AdvisoryEvent": {
    event: [
      ...["detection", "truePositiveDetermination", "falsePositiveDetermination", "fixed"],
      ...["analysisNotPlanned", "fixNotPlanned", "pendingUpstreamFix", "patched"],
    ],
  },
  "vulnerabilities.AdvisoryEvent.Detection": { source: ["nvdapi", "manual", "scanv1"] },
};

interface Unstated extends Pick<Field, "outputOnly" | "optional" | "shownIn"> {
  /** The contract has it as a string. */
  readonly type?: "duration";
  /** The type of the keys of a map. */
  readonly keys?: "int64";
}

/** Other facts about members that the contract does not show, by message and member. */
const unstated: Readonly<Record<string, Readonly<Record<string, Unstated>>>> = {
  "iam.AccountAssociation.GitHub": { appInstallations: { keys: "int64" } },
  "iam.Group": { verified: { outputOnly: true } },
  "iam.GroupInvite": { ttl: { type: "duration", shownIn: "none" }, code: { shownIn: "created" } },
  "iam.IdentityProvider.OIDC": { clientSecret: { shownIn: "none" } },
  "iam.IdentityProvidersService.RegenerateScimTokenBody": { overlap: { type: "duration" } },
  "iam.RegenerateScimTokenResponse": { requestedOverlap: { type: "duration" } },
  "vulnerabilities.Advisory": { deleteTime: { optional: true }, legacyAdvisoryId: { optional: true } },
  "vulnerabilities.AdvisoryEvent": { issue: { optional: true } },
};

/** Enums whose numbers differ from their order and are not published. */
const unnumbered = ["capabilities.Capability", "iam.ServicePrincipal"];

const known = new Map<string, Message>();

/** A message of the contract, by its name there. */
export function messageNamed(name: string): Message {
  const message = known.get(name) ?? messageOf(name);
  known.set(name, message);
  return message;
}

/** The names of an enum of the contract, in its order. */
export function enumNamed(name: string): readonly string[] {
  return schemaNamed(name).enum ?? [];
}

function schemaNamed(name: string): Schema {
  const schema = document.components.schemas[name];
  if (schema === undefined) throw new Error(`the contract has no ${name}`);
  return schema;
}

function messageOf(name: string): Message {
  const { properties = {}, required = [] } = schemaNamed(name);
  // Errors name required members in this order.
  const ordered = [...new Set([...required, ...Object.keys(properties)])];
  const members = ordered.map((member): [string, Field] => {
    const schema = properties[member] ?? {};
    const [oneof] = Object.entries(oneofs[name] ?? {}).find(([, names]) => names.includes(member)) ?? [];
    const field = {
      ...fieldOf(schema),
      ...(schema.readOnly === true && { outputOnly: true }),
      ...(required.includes(member) && { required: true }),
      ...(oneof !== undefined && { oneof }),
      ...unstated[name]?.[member],
    };
    return [member, field];
  });
  return Object.fromEntries(members);
}

function fieldOf({ $ref, allOf, type, format, items, additionalProperties }: Schema): Field {
  const reference = ($ref ?? allOf?.[0]?.$ref)?.slice(prefix.length);
  if (reference !== undefined) return referredField(reference);
  if (items !== undefined) return { type: "list", of: fieldOf(items) };
  if (additionalProperties !== undefined) return { type: "map", of: fieldOf(additionalProperties) };
  if (type === "boolean") return { type: "bool" };
  if (format === "int32" || format === "int64") return { type: format };
  return { type: format === "date-time" ? "timestamp" : "string" };
}

function referredField(name: string): Field {
  const [first = "", ...further] = enumNamed(name);
  if (first === "") return { type: "message", of: messageNamed(name) };
  return unnumbered.includes(name) ? { type: "enum", names: [first], further } : { type: "enum", names: [first, ...further] };
}
