import { messageNamed } from "../../emulator/contract/messages";
import * as objects from "../../emulator/objects/all-kinds";
import type { Field, Message } from "../../emulator/wire/message";
import { readableKinds } from "../../provider/kinds/kinds";
import type { Fields, Shape } from "../../provider/schema/field";

/** The emulator's knowledge of a message: its fields by who sets them. */
interface Derived {
  /** In the order in which errors name them. */
  readonly required?: string;
  readonly settable?: string;
  /** Set by the platform only. */
  readonly output?: string;
}

/**
 * Every message that the provider sends or reads, and those in them. A field is a text unless a type follows its name: `[...]` is a
 * list, `{...}` a map, `.X` the message `X` in this one, `enum6` an enum of six names. Then `|` and its oneof, `?` if it is left out
 * when it is unset, and `/` and the only answers that show it.
 */
const table: Readonly<Record<string, Derived>> = {
  "iam.Group": {
    required: "name",
    settable: "description kind:enum6",
    output: "createTime:time resourceLimits:{int32} status:enum4 uid updateTime:time verified:bool",
  },
  "iam.Identity": {
    required: "name",
    settable: `
      awsIdentity:.AWSIdentity|relationship claimMatch:.ClaimMatch|relationship company description
      servicePrincipal:enum14|relationship staticKeys:.StaticKeys|relationship`,
    output: "createTime:time email emailUnverified lastSeenTime:time uid updateTime:time",
  },
  "iam.Identity.AWSIdentity": {
    required: "awsAccount",
    settable: "arn|arn_match arnPattern|arn_match userId|user_match userIdPattern|user_match",
  },
  "iam.Identity.ClaimMatch": {
    settable: `
      audience|audience_match audiencePattern|audience_match claimPatterns:{text} claims:{text} issuer|issuer_match
      issuerPattern|issuer_match subject|subject_match subjectPattern|subject_match`,
  },
  "iam.Identity.StaticKeys": {
    required: "issuer subject issuerKeys",
    settable: "audiences:[text] expirationTime:time",
  },
  "iam.Role": {
    required: "name",
    settable: "capabilities:[enum214] description",
    output: "createTime:time uid updateTime:time",
  },
  "iam.RoleBinding": {
    settable: "identityUid roleUid",
    output: "createTime:time group:iam.RoleBindingGroup identity:iam.RoleBindingIdentity role:iam.RoleBindingRole uid",
  },
  "iam.RoleBindingGroup": {
    output: "description name uid",
  },
  "iam.RoleBindingIdentity": {
    output: "description email issuer name subject uid",
  },
  "iam.RoleBindingRole": {
    output: "description name uid",
  },
  "iam.IdentityProvider": {
    required: "name defaultRole",
    settable: "description oidc:.OIDC|configuration",
    output: "createTime:time scim:.SCIM uid updateTime:time",
  },
  "iam.IdentityProvider.OIDC": {
    required: "issuer clientId",
    settable: "additionalScopes:[text] clientSecret/none correlationRule:enum3 groupsClaim pkceEnabled:bool",
  },
  "iam.IdentityProvider.SCIM": {
    output: "credentialState:enum6 enabled:bool endpointUrl etag previousTokenExpireTime:time tokenExpireTime:time",
  },
  "iam.ExternalGroupRoleMapping": {
    settable: "externalGroupId roleUid scope",
    output: "createTime:time identityProviderUid uid",
  },
  "iam.AccountAssociation": {
    required: "name",
    settable: "amazon:.Amazon azure:.Azure chainguard:.Chainguard description github:.GitHub google:.Google",
    output: "createTime:time uid updateTime:time",
  },
  "iam.AccountAssociation.Amazon": {
    required: "account",
  },
  "iam.AccountAssociation.Azure": {
    required: "tenantId clientIds:{text}",
  },
  "iam.AccountAssociation.Chainguard": {
    required: "serviceBindings:{text}",
  },
  "iam.AccountAssociation.GitHub": {
    settable: "appInstallations:{int64=iam.AccountAssociation.GitHubAppInstallations}",
  },
  "iam.AccountAssociation.GitHubAppInstallations": {
    settable: "installations:[iam.AccountAssociation.GitHubInstallation]",
  },
  "iam.AccountAssociation.GitHubInstallation": {
    required: "installationId:int64",
    settable: "name",
  },
  "iam.AccountAssociation.Google": {
    required: "projectId projectNumber",
  },
  "iam.GroupInvite": {
    required: "roleUid ttl:duration/none",
    settable: "email singleUse:bool",
    output: "code/created createTime:time expirationTime:time keyId role:iam.GroupInviteRole uid",
  },
  "iam.GroupInviteRole": {
    output: "capabilities:[enum214] description name uid",
  },
  "events.Subscription": {
    required: "sink",
    output: "uid",
  },
  "registry.Repo": {
    required: "name",
    settable: `
      activeTags:[text] aliases:[text] bundles:[text] catalogTier:enum7 customOverlay:registry.CustomOverlay
      description sync_config:registry.SyncConfig`,
    output: "createTime:time uid updateTime:time",
  },
  "registry.CustomOverlay": {
    settable: `
      accounts:.Accounts annotations:{text} certificates:.Certificates contents:.ImageContents environment:{text}`,
  },
  "registry.CustomOverlay.Accounts": {
    settable: "groups:[.Group] runAs users:[.User]",
  },
  "registry.CustomOverlay.Accounts.Group": {
    required: "groupname",
    settable: "gid:int32 members:[text]",
  },
  "registry.CustomOverlay.Accounts.User": {
    required: "username",
    settable: "gid:int32 groupName homeDir shell uid:int32",
  },
  "registry.CustomOverlay.Certificates": {
    settable: "additional:[.AdditionalEntry] providers:[text]",
  },
  "registry.CustomOverlay.Certificates.AdditionalEntry": {
    required: "name content",
  },
  "registry.CustomOverlay.ImageContents": {
    settable: "packages:[text] runtimeKeyring:[.RuntimeKeyringEntry] runtimeRepositories:[text]",
  },
  "registry.CustomOverlay.ImageContents.RuntimeKeyringEntry": {
    required: "name content",
  },
  "registry.SyncConfig": {
    required: "source",
    settable: "amazon azure google",
    output: "apkoOverlay expirationTime:time gracePeriod:bool uniqueTags:bool",
  },
  "registry.Tag": {
    required: "name digest",
    settable: "bundles:[text] deprecated:bool",
    output: "uid updateTime:time",
  },
  "vulnerabilities.Advisory": {
    required: "author artifactName artifactType artifactArchitecture componentName componentLocation componentType",
    settable: "aliases:[text] events:[vulnerabilities.AdvisoryEvent]",
    output: `
      advisoryId createTime:time deleteTime:time? legacyAdvisoryId? severities:[vulnerabilities.Severity] uid
      updateTime:time`,
  },
  "vulnerabilities.AdvisoryEvent": {
    required: "author reviewState:enum5",
    settable: `
      analysisNotPlanned:.AnalysisNotPlanned|event detection:.Detection|event
      falsePositiveDetermination:.FalsePositiveDetermination|event findings fixNotPlanned:.FixNotPlanned|event
      fixed:.Fixed|event issue? patched:.Patched|event pendingUpstreamFix:.PendingUpstreamFix|event reviewer
      truePositiveDetermination:.TruePositiveDetermination|event`,
    output: "createTime:time uid",
  },
  "vulnerabilities.AdvisoryEvent.AnalysisNotPlanned": {
    settable: "note",
  },
  "vulnerabilities.AdvisoryEvent.Detection": {
    settable: "manual:.Manual|source nvdapi:.NVDAPI|source scanv1:.ScanV1|source",
  },
  "vulnerabilities.AdvisoryEvent.Detection.Manual": {},
  "vulnerabilities.AdvisoryEvent.Detection.NVDAPI": {
    settable: "cpeFound cpeSearched",
  },
  "vulnerabilities.AdvisoryEvent.Detection.ScanV1": {
    settable: `
      artifactVersion component componentId componentLocation componentType componentVersion grypeDbBuilt
      grypeDbChecksum scanner scannerVersion subpackage`,
  },
  "vulnerabilities.AdvisoryEvent.FalsePositiveDetermination": {
    settable: "note type:enum8",
  },
  "vulnerabilities.AdvisoryEvent.FixNotPlanned": {
    settable: "note",
  },
  "vulnerabilities.AdvisoryEvent.Fixed": {
    settable: "fixedVersion grypeDbBuilt grypeDbChecksum note scannerVersion",
  },
  "vulnerabilities.AdvisoryEvent.Patched": {
    settable: "note patchedVersions:[text]",
  },
  "vulnerabilities.AdvisoryEvent.PendingUpstreamFix": {
    settable: "note",
  },
  "vulnerabilities.AdvisoryEvent.TruePositiveDetermination": {
    settable: "note",
  },
  "vulnerabilities.Severity": {
    settable: "score type:enum4",
  },
  "iam.BatchCreateRoleBindingsRequest": {
    required: "parent requests:[iam.CreateRoleBindingRequest]",
    settable: "roleUid",
  },
  "iam.CreateRoleBindingRequest": {
    required: "parent roleBinding:iam.RoleBinding",
  },
  "iam.AccountAssociationsService.CheckAccountAssociationBody": {
    required: "providerType:enum4",
  },
  "registry.RepoReadme": {
    settable: "content",
    output: "uid",
  },
};

/** The messages of the provider's calls besides the objects themselves. */
const further = [
  "iam.BatchCreateRoleBindingsRequest",
  "iam.AccountAssociationsService.CheckAccountAssociationBody",
  "registry.RepoReadme",
];

const names = new Map(Object.keys(table).map((name) => [messageNamed(name), name]));

function messageIn(field: Field): Message | undefined {
  if (field.type === "message") return field.of;
  return field.type === "list" || field.type === "map" ? messageIn(field.of) : undefined;
}

/** A message and all that are in it. */
function within(message: Message, found: ReadonlySet<Message> = new Set()): ReadonlySet<Message> {
  if (found.has(message)) return found;
  const inside = Object.values(message)
    .map(messageIn)
    .filter((each) => each !== undefined);
  return inside.reduce((all: ReadonlySet<Message>, each) => within(each, all), new Set([...found, message]));
}

function typeOf(field: Field, place: string): string {
  switch (field.type) {
    case "string":
      return "text";
    case "timestamp":
      return "time";
    case "enum":
      return `enum${field.names.length + (field.further?.length ?? 0)}`;
    case "message":
      return (names.get(field.of) ?? "?").replace(`${place}.`, ".");
    case "list":
      return `[${typeOf(field.of, place)}]`;
    case "map":
      return `{${field.keys === undefined ? "" : `${field.keys}=`}${typeOf(field.of, place)}}`;
    default:
      return field.type;
  }
}

function derived(name: string): Derived {
  const fields = Object.entries(messageNamed(name));
  const say = ([key, field]: [string, Field]) =>
    [
      key,
      field.type === "string" ? "" : `:${typeOf(field, name)}`,
      field.oneof === undefined ? "" : `|${field.oneof}`,
      field.optional === true ? "?" : "",
      field.shownIn === undefined ? "" : `/${field.shownIn}`,
    ].join("");
  const group = (isIn: (field: Field) => boolean) =>
    fields
      .filter(([, field]) => isIn(field))
      .map(say)
      .join(" ");
  return {
    required: group(({ required }) => required === true),
    settable: group(({ required, outputOnly }) => required !== true && outputOnly !== true),
    output: group(({ required, outputOnly }) => required !== true && outputOnly === true),
  };
}

test.each(Object.entries(table))(
  "%s is what the published contract says",
  (name, { required = "", settable = "", output = "" }) => {
    const words = (text: string) => text.trim().replace(/\s+/g, " ");
    expect(derived(name)).toEqual({ required: words(required), settable: words(settable), output: words(output) });
  },
);

test("no message is missing above", () => {
  const roots = [...Object.values(objects).map(({ message }) => message), ...further.map(messageNamed)];
  expect(new Set(roots.flatMap((root) => [...within(root)]))).toEqual(new Set(names.keys()));
});

/** Fields that the declarations have on the wire, and the contract does not, by their path. */
function undocumented(fields: Fields, message: Message, place: string): string[] {
  return Object.entries(fields).flatMap(([name, { by, shape, traits }]) => {
    const isOnWire = !["parent", "reference", "local", "check"].includes(by) && traits.read === undefined;
    const wire = traits.wire ?? name;
    const path = `${place}.${wire}`;
    if (!isOnWire) return [];
    const field = Object.hasOwn(message, wire) ? message[wire] : undefined;
    if (field === undefined) return [path];
    const [members, inside] = [membersOf(shape), messageIn(field)];
    if (members === undefined) return [];
    return inside === undefined ? [path] : undocumented(members, inside, path);
  });
}

function membersOf(shape: Shape): Fields | undefined {
  if (shape.is === "message") return shape.members;
  return shape.is === "set" || shape.is === "list" || shape.is === "map" ? membersOf(shape.of) : undefined;
}

test.each(Object.values(readableKinds))(
  "the declaration of $name has only fields that the contract has",
  ({ name, segment, fields }) => {
    const { message } = objects[segment];
    expect(undocumented(fields, message, name)).toEqual([]);
  },
);
