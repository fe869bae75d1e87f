import { literal } from "../client/printable";
import { canonical } from "../schema/canonical";
import { isValues, valueAt, type Values } from "../schema/values";
import type { Problem } from "../schema/declaration";
import { declare } from "../schema/declare";
import {
  checkOnly,
  flag,
  having,
  mapOf,
  message,
  oneOf,
  optional,
  output,
  parent,
  setOf,
  text,
  time,
  uidOf,
  uidOrMessage,
} from "../schema/fields";
import { someText, unknownValue } from "../schema/inputs";
import { givenFor, identityRef, inGroup, isGiven, isSame } from "../schema/references";

/** One entry of `access`, which gives an identity a role in the group. */
export interface Member {
  /** The role as the program writes it: a name or a uid. */
  readonly role: string;
  /** The name of the member in the program. */
  readonly label: string;
  /** Unknown while only its name is known. */
  readonly identityUid: string;
  /** How the program writes it, unless that is the uid. */
  readonly written?: Values;
}

/**
 * The complete access to one group. Exactly the declared identities have roles there. It is not an object of the platform; it manages the
 * role bindings of the group (docs/platform-api.md#role-bindings).
 */
export const groupAccess = declare({
  name: "GroupAccess",
  address: { noun: "group access", area: "iam", segment: "groupAccess" },
  fields: inGroup({
    /**
     * Uid of the group. Its own role bindings are managed; bindings inherited from groups above are not. A change replaces the access and
     * moves all members.
     */
    parentUid: parent(),
    /**
     * Who has access: role, then label, then the identity: its uid, or an `AccessMember`. A role is a name (a built-in role takes
     * precedence over a custom one) or a uid. A label is any text that is unique within the role; previews show it.
     */
    access: mapOf(
      mapOf(
        uidOrMessage(
          "identity",
          "identityUid",
          message("AccessMember", {
            /** Uid of the identity. */
            identityUid: optional(uidOf("identity")),
            /** The identity, instead of `identityUid`: its path, such as `acme/shop/ci`, or `issuer` and `subject` of its tokens. */
            identityRef: identityRef(),
          }),
        ),
      ),
    ),
    /**
     * `remove`: exactly the declared members have roles in the group. `keep`: the declared members get their roles, and lose them when they
     * leave the program; the access of all others is neither shown nor removed. Default: `remove`.
     */
    others: optional(having({ unset: "remove" }, oneOf(["remove", "keep"]))),
    /** Manage only these roles, each written as in `access`. Default: all roles. */
    roles: optional(setOf(text())),
    /** Role bindings that are never removed, although `access` does not list them. Default: none. */
    exempt: optional(
      message("ExemptAccess", {
        /** Uids of identities that keep all their roles: break-glass accounts, identities of other stacks. Default: none. */
        identityUids: optional(setOf(uidOf("identity"))),
        /** Uids of role bindings. Default: none. */
        bindingUids: optional(setOf(uidOf("role binding"))),
        /** Roles whose bindings are all kept, each written as in `access`. Default: none. */
        roles: optional(setOf(text())),
      }),
    ),
    /**
     * Start even if others have access that `access` does not list. They keep it until a refresh shows them: the next preview lists
     * them, and the `up` after it removes them. Without `adopt`, the create fails and lists them. Default: `platform:adopt`, else
     * false.
     */
    adopt: checkOnly(flag()),
    /** Uid of each role in `access`, `roles` and `exempt.roles`. */
    roleUids: output(mapOf(uidOf("role"))),
    /** Uid of the role binding of each member: role, then label. */
    bindings: output(mapOf(mapOf(uidOf("role binding")))),
    /** Digest of each member's exact issuer and subject, as when it became one: role, then label. `drift` compares it. */
    logins: output(mapOf(mapOf(text()))),
    /** When the newest of these role bindings was created, RFC 3339. Shortly after it, one that is missing counts as not visible yet. */
    newestCreateTime: output(time()),
  }),
  naturalKey: [],
  importId: { is: "parent" },
  filters: {},
  access: "gives",
  problems: problemsOf,
});

/** The members that `access` declares. Wholly unknown values are skipped. */
export function membersIn(access: unknown): Member[] {
  return entriesOf(access).flatMap(([role, members]) =>
    entriesOf(members).map(([label, written]) => ({
      ...{ role, label, identityUid: memberUid(written) },
      ...(isValues(written) && { written }),
    })),
  );
}

/** The uid of a member as a program or a state writes it; unknown while only its name is known. */
export function memberUid(written: unknown): string {
  if (!isValues(written)) return String(written);
  const { identityUid } = written;
  return typeof identityUid === "string" && identityUid !== "" ? identityUid : unknownValue;
}

/** The uids of roles in a state, or in inputs that a check has returned, by their texts in the program. */
export function roleUidsIn(state: Values): Map<string, string> {
  return new Map(entriesOf(state["roleUids"]).map(([role, uid]) => [role, String(uid)]));
}

/** The entries of an object; empty for any other value. */
export function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

/** The texts of a list; empty for any other value. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** True for a `GroupAccess` that leaves the access of others alone. */
export function keepsOthers({ others }: Values): boolean {
  return others === "keep";
}

/**
 * The key of a `GroupAccess` in a program, which is its group and the managed roles; with `keep`, its group and its labels. Undefined while one of them is unknown.
 */
export function accessKey(inputs: Values): string | undefined {
  if (inputs["others"] === unknownValue) return undefined;
  if (keepsOthers(inputs)) return keyByLabels(inputs);
  const [group, written] = [writtenGroup(inputs), canonical(inputs["roles"], groupAccess.fields.roles.shape)];
  const isKnown = group !== undefined && !textsOf(written).includes(unknownValue);
  return isKnown && written !== unknownValue ? JSON.stringify(["groupAccess", group, written ?? "all"]) : undefined;
}

function keyByLabels(inputs: Values): string | undefined {
  const [group, roles] = [writtenGroup(inputs), entriesOf(inputs["access"])];
  const isKnown = inputs["access"] !== unknownValue && roles.every(([, members]) => members !== unknownValue);
  const labels = roles.flatMap(([role, members]) => entriesOf(members).map(([label]) => [role, label])).sort();
  return group !== undefined && isKnown ? JSON.stringify(["groupAccess", group, "keep", labels]) : undefined;
}

/** The group in the program, by uid or by path, for comparison with other resources. Undefined while it is unknown. */
export function writtenGroup(inputs: Values): string | undefined {
  const name = givenFor(groupAccess.fields, "parentUid", inputs)?.name ?? "parentUid";
  const value = inputs[name];
  return typeof value === "string" && value !== unknownValue ? `${name} ${value}` : undefined;
}

function problemsOf(inputs: Values, olds: Values): Problem[] {
  const idle = keepsOthers(inputs) ? ["roles", "exempt"].filter((name) => isGiven(inputs[name])) : [];
  const useless = idle.map((property) => ({
    property,
    reason: 'it has no effect beside `others: "keep"`. Remove it.',
  }));
  return [...useless, ...memberProblems(inputs, olds)];
}

function memberProblems({ access, roles, exempt }: Values, olds: Values): Problem[] {
  const scope = Array.isArray(roles) ? textsOf(roles) : undefined;
  const { identityUids, roles: exemptRoles } = (exempt ?? {}) as Values;
  const exemptIdentities = textsOf(identityUids);
  return entriesOf(access).flatMap(([role, members]) => {
    const property = `access.${role}`;
    const problems = nameProblems(property, "role", role);
    if (scope !== undefined && !scope.includes(role) && !scope.includes(unknownValue))
      problems.push({ property, reason: `${literal(role)} is not one of the managed roles. Add it to \`roles\`, or remove it.` });
    if (textsOf(exemptRoles).includes(role) && role !== unknownValue)
      problems.push({ property, reason: `${literal(role)} is in \`exempt\`, too. Remove it from one of the two.` });
    const labels = new Map<string, string>();
    for (const { label, identityUid, written } of membersIn({ [role]: members })) {
      const path = `${property}.${label}`;
      problems.push(...nameProblems(path, "label", label));
      if (written !== undefined && !isOneIdentity(written, valueAt(olds, ["access", role, label])))
        problems.push({ property: path, reason: `exactly one of ${path}.identityUid and ${path}.identityRef must be set` });
      const other = identityUid === unknownValue ? undefined : labels.get(identityUid);
      if (other !== undefined)
        problems.push({
          property: path,
          reason: `${identityUid} has this role already, as ${literal(other)}. Remove one of the two.`,
        });
      if (exemptIdentities.includes(identityUid) && identityUid !== unknownValue)
        problems.push({ property: path, reason: `${identityUid} is in \`exempt\`, too. Remove it from one of the two.` });
      labels.set(identityUid, label);
    }
    return problems;
  });
}

/** True for a member with one of uid and name, and for both as the state has them: `ignoreChanges` puts those back. */
function isOneIdentity({ identityUid, identityRef: name }: Values, old: unknown): boolean {
  if (isGiven(identityUid) !== isGiven(name)) return true;
  return isGiven(identityUid) && isValues(old) && old["identityUid"] === identityUid && isSame(old["identityRef"], name);
}

function nameProblems(property: string, what: string, text: string): Problem[] {
  const { error } = someText.safeParse(text);
  return (error?.issues ?? []).map((issue) => ({ property, reason: `${what} ${literal(text)} ${issue.message}` }));
}
