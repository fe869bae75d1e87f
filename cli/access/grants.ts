import { levelOf } from "../../access/capabilities";
import { describeLogin } from "../../access/prose/describe-login";
import type { EffectiveGrant } from "../../access/effective";
import type { Holder, Located } from "../../access/holders";
import { levelInWords } from "../../access/prose/level";
import { personInWords } from "../../access/prose/person";
import type { Unreadable } from "../../access/snapshot";
import { builtInRole } from "../../provider/kinds/role";
import { oneLine } from "../text/one-line";
import { roleText } from "../text/severity-text";
import { holderText } from "./holder";

/** Roles to draw. */
export interface Grants {
  /** The identity or the group of these roles. */
  readonly head: Located & Holder;
  /** The side in which the roles differ, which is the groups of one identity or the holders in one group. */
  readonly shown: "places" | "holders";
  readonly grants: readonly EffectiveGrant[];
  readonly unreadable: readonly Unreadable[];
  /** Whether to show the grant of each role, its capabilities, and the login of its holder. */
  readonly why: boolean;
}

const sources: Readonly<Record<EffectiveGrant["through"]["kind"], string>> = {
  roleBinding: "role binding",
  externalGroupRoleMapping: "external group role mapping",
  identityProvider: "default role of the identity provider",
  groupInvite: "invite",
  accountAssociation: "account association of the group",
};

const accountRights = "act for the group; the platform does not say with which role";

/** A line for each role, with its origin. Ends with the parts that could not be read. */
export function drawGrants({ head, shown, grants, unreadable, why }: Grants): string {
  const login = shown === "places" ? grants[0]?.identity.login : undefined;
  const width = Math.max(0, ...grants.map(({ role }) => roleName(role).length));
  const rows = grants.flatMap((grant) => {
    const { role, at, inheritedFrom, identity } = grant;
    const { path = identity.identityProviderPath } = identity;
    const called = personInWords(identity) ?? path;
    const what = shown === "places" ? nameOf(at) : holderText(grant, (uid) => called ?? uid);
    const from = inheritedFrom ? `  (inherited from ${nameOf(inheritedFrom)})` : "";
    return [
      `${roleText(grant, oneLine(roleName(role).padEnd(width)))}  ${oneLine(`${what}${from}`)}`,
      ...(why ? reasons(grant, shown).map((line) => oneLine(`    ${line}`)) : []),
    ];
  });
  const called = personInWords(head) ?? head.path;
  const title = called === undefined || head.isUnseen ? (called ?? head.uid) : `${called} (${head.uid})`;
  const none = shown === "places" ? "No role of it is visible." : "No role in it is visible.";
  const lines = [
    oneLine(title),
    ...(login === undefined ? [] : [oneLine(`logs in: ${describeLogin(login)}`)]),
    "",
    ...(rows.length === 0 ? [none] : rows),
    ...(unreadable.length === 0
      ? []
      : ["", "Not shown:", ...unreadable.map(({ what, reason }) => oneLine(`- ${what}: ${reason}`))]),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function reasons({ identity, role, at, inheritedFrom, through }: EffectiveGrant, shown: Grants["shown"]): string[] {
  const { capabilities } = role;
  const count =
    capabilities === undefined ? "" : ` (${capabilities.length} ${capabilities.length === 1 ? "capability" : "capabilities"})`;
  return [
    `through: ${sources[through.kind]} ${through.uid}, in ${nameOf(inheritedFrom ?? at)}`,
    `allows: ${through.kind === "accountAssociation" ? accountRights : levelInWords[levelOf(capabilities)]}${count}`,
    ...(shown === "holders" && identity.login ? [`logs in: ${describeLogin(identity.login)}`] : []),
  ];
}

function nameOf({ uid, path }: Located): string {
  return path ?? uid;
}

/** Adds the uid if the name alone may pass for a built-in role. */
function roleName({ uid, name = uid }: EffectiveGrant["role"]): string {
  return uid.includes("/") && builtInRole.test(name) ? `${name} (${uid})` : name;
}
