import { literal } from "../client/printable";
import { parentOf } from "../client/uid";
import { boundLogin } from "./bound-login";
import { boundIdentity, boundRole, type WireRoleBinding } from "./role-binding";

/** A role binding, as the platform shows it. */
export interface ShownBinding {
  readonly binding: string;
  readonly createTime: string | undefined;
  /** Empty if the platform does not return it. */
  readonly identityUid: string;
  /** Empty if the platform does not return it. */
  readonly roleUid: string;
  /**
   * The name of an identity in a group. For a person, who chooses the name, the verified address, otherwise the login. Empty if not shown.
   */
  readonly identityName: string;
  /** Empty if the platform does not return it. */
  readonly roleName: string;
  /** See {@link boundLogin}. */
  readonly login: string | undefined;
}

/** The parts of a role binding that the platform shows. */
export function shownOf(row: WireRoleBinding): ShownBinding {
  const [identityUid, roleUid] = [boundIdentity(row), boundRole(row)];
  const names = { identityName: readableName(identityUid, row.identity), roleName: row.role?.name ?? "" };
  const login = boundLogin(identityUid, row.identity);
  return { binding: row.uid, createTime: row.createTime ?? undefined, identityUid, roleUid, ...names, login };
}

/** See {@link ShownBinding.identityName}. */
function readableName(uid: string, identity: WireRoleBinding["identity"]): string {
  const { name, email, issuer, subject } = identity ?? {};
  const isPerson = parentOf(uid) === undefined;
  return (isPerson ? email : name || email) || (issuer && subject ? `${subject} (${issuer.replace(/^https:\/\//, "")})` : "");
}

/** A role binding by the names of its identity and role, for messages. */
export function bindingName({ binding, identityUid, identityName, roleUid, roleName }: ShownBinding): string {
  const who = identityName === "" ? identityUid || "somebody" : `${literal(identityName)} (${identityUid})`;
  return `${who} as ${roleName || roleUid || "some role"} (role binding ${binding})`;
}
