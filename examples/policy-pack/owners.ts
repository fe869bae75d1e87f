import type { PolicyResource, StackValidationPolicy } from "@pulumi/policy";
import { identityOf, patternsOf } from "./patterns";
import { isA, known } from "./types";

/** A grant of an owner role by the program. */
interface Ownership {
  resource: PolicyResource;
  /** Uid or path of the group; its URN in the preview that creates it. */
  group: string;
  /** Who gets the role: the identity by its logical name, a person by the login; where policies see neither, what the program calls it. */
  owner: string;
  /** Identities of the program that may be the owner. */
  identities: PolicyResource[];
}

const ownerRoles = { type: "array", items: { type: "string" }, default: ["owner"] } as const;

/** Few can give access to a group away. */
export const fewOwners: StackValidationPolicy = {
  name: "few-owners",
  description: "The program gives a group at most `maximum` owners.",
  configSchema: { properties: { maximum: { type: "integer", minimum: 0, default: 2 }, ownerRoles } },
  validateStack(args, report) {
    const { maximum, ownerRoles } = args.getConfig<{ maximum: number; ownerRoles: string[] }>();
    const byGroup = Map.groupBy(ownerships(args.resources, ownerRoles), ({ group }) => group);
    for (const owners of byGroup.values()) {
      const [first] = owners;
      if (first === undefined || owners.length <= maximum) continue;
      const names = owners.map(({ owner }) => owner).join(", ");
      const message = `Group ${nameOf(first.resource)} gets ${owners.length} owners: ${names}. At most ${maximum} are allowed.`;
      report(message, placeOf(first.resource));
    }
  },
};

/** Only those whose names are written down can give access away. */
export const noOwnerByPattern: StackValidationPolicy = {
  name: "no-owner-by-pattern",
  description: "An identity that decides by a pattern who may log in owns no group, nor does whoever signs in or has a code.",
  configSchema: { properties: { ownerRoles } },
  validateStack(args, report) {
    const { ownerRoles } = args.getConfig<{ ownerRoles: string[] }>();
    for (const { resource, identities } of ownerships(args.resources, ownerRoles)) {
      for (const identity of identities) {
        const property = patternOf(identity);
        if (property)
          report(`${identity.name} owns group ${nameOf(resource)} and matches by ${property}: set exact values.`, resource.urn);
      }
    }
    for (const resource of args.resources) {
      const whoever = openDoor(resource, ownerRoles);
      if (whoever) report(`${whoever} owns group ${nameOf(resource)}: name another role.`, resource.urn);
    }
  },
};

/** Who gets an owner role without being named; undefined if no one does. */
function openDoor(resource: PolicyResource, ownerRoles: string[]): string | undefined {
  const { name, props } = resource;
  const gives = (...properties: string[]) => givesOwner(resource, ownerRoles, properties);
  if (isA("IdentityProvider", resource) && gives("defaultRoleName", "defaultRole"))
    return `Whoever signs in at ${name} for the first time`;
  if (isA("GroupInvite", resource) && gives("roleName", "roleUid", "role") && known(() => !props["email"]))
    return `Whoever has the code of ${name}`;
  return undefined;
}

function ownerships(resources: PolicyResource[], ownerRoles: string[]): Ownership[] {
  return resources.flatMap((resource) => {
    if (isA("RoleBinding", resource)) return ofBinding(resource, ownerRoles);
    return isA("GroupAccess", resource) ? ofGroupAccess(resource, ownerRoles) : [];
  });
}

function ofBinding(resource: PolicyResource, ownerRoles: string[]): Ownership[] {
  if (!givesOwner(resource, ownerRoles, ["roleName", "roleUid", "role"])) return [];
  const identities = resource.propertyDependencies["identityUid"] ?? [];
  const owner = identities.find((each) => isA("Identity", each))?.name ?? loginOf(resource) ?? `whoever "${resource.name}" binds`;
  return [{ resource, group: groupOf(resource), owner, identities }];
}

/** Whom a binding names by `identityRef`: a path, or a person by the login, never by a uid. */
function loginOf({ props }: PolicyResource): string | undefined {
  const ref = known(() => props["identityRef"] as string | { issuer: string; subject: string } | undefined);
  return typeof ref === "object" ? known(() => `${ref.subject} (${ref.issuer.replace("https://", "")})`) : ref;
}

/** True if one of the properties is an owner role: its name, its uid, or an object with its name. */
function givesOwner({ props }: PolicyResource, ownerRoles: string[], properties: string[]): boolean {
  return properties.some((property) => {
    const role = known(() => {
      const value = props[property] as string | { name?: string } | undefined;
      return typeof value === "object" ? value.name : value;
    });
    return role !== undefined && ownerRoles.includes(role);
  });
}

/**
 * Policies see which identities `access` depends on, not which entry is which: a label equal to a name identifies an entry. The labels
 * of an `Organization` are the names without that of the component.
 */
function ofGroupAccess(resource: PolicyResource, ownerRoles: string[]): Ownership[] {
  const access = known(() => resource.props["access"] as Record<string, Record<string, string>>) ?? {};
  const labels = (ofOwners: boolean) =>
    Object.keys(access)
      .filter((role) => ownerRoles.includes(role) === ofOwners)
      .flatMap((role) => Object.keys(access[role] ?? {}));
  const [owners, others] = [labels(true), labels(false)];
  const mayOwn = ({ name, props }: PolicyResource) => {
    const names = [name, name.slice(name.indexOf("/") + 1), known(() => props["name"] as string)];
    return names.some((each) => owners.includes(each ?? "")) || !names.some((each) => others.includes(each ?? ""));
  };
  const identities = (resource.propertyDependencies["access"] ?? []).filter(mayOwn);
  // A label may be any text, also the login of somebody else. Each owner counts; whom they may be is said once.
  return owners.map((label, index) => {
    return { resource, group: groupOf(resource), owner: `"${label}" (label)`, identities: index === 0 ? identities : [] };
  });
}

function patternOf(resource: PolicyResource): string | undefined {
  const identity = identityOf(resource);
  return identity && patternsOf(identity)[0]?.[0];
}

function groupOf(resource: PolicyResource): string {
  const given = known(() => (resource.props["parentUid"] ?? resource.props["parentPath"]) as string);
  return given ?? placeOf(resource);
}

/** The text for a resource's group in messages, which is its name if the program declares the group, otherwise that of {@link groupOf}. */
function nameOf(resource: PolicyResource): string {
  const group = declaredGroup(resource);
  return known(() => group?.props["name"] as string) ?? groupOf(resource);
}

/** URN of the group in which a resource is, where the program declares that group; else of the resource. */
function placeOf(resource: PolicyResource): string {
  return (declaredGroup(resource) ?? resource).urn;
}

function declaredGroup({ propertyDependencies }: PolicyResource): PolicyResource | undefined {
  return propertyDependencies["parentUid"]?.find((each) => isA("Group", each));
}
