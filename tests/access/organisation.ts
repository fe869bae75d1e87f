import type { AccessChange } from "../../access/compare";
import { ancestorsOf } from "../../access/places";
import type { Snapshot } from "../../access/snapshot";

const parts = ["a", "b"];
/** All groups that a tree of three levels may have. */
export const places = ["r", ...parts.flatMap((one) => [`r/${one}`, ...parts.map((two) => `r/${one}/${two}`)])];
/** Identities, the last one outside of any group. */
export const people = ["r/i1", "r/a/i2", "p"];
/** Roles, with what they allow; `r/custom` is another one. */
export const roles: Record<string, string[]> = {
  owner: ["CAP_IAM_ROLE_BINDINGS_UPDATE", "CAP_REPO_LIST", "CAP_REPO_CREATE"],
  viewer: ["CAP_REPO_LIST"],
};

/** A role that somebody is given in a group. */
export interface Grant {
  place: string;
  identityUid: string;
  roleUid: string;
}

/** An organisation in which these roles are given. */
export function snapshotOf(
  bound: readonly Grant[],
  { leaves: chosen = places, subject = "main", custom: capabilities = ["CAP_REPO_LIST"] } = {},
): Snapshot {
  const groups = new Set(["r", ...chosen.flatMap((uid) => [...ancestorsOf(uid), uid])]);
  const nameOf = (uid: string) => ({ name: uid.split("/").at(-1) ?? "" });
  return {
    groups: new Map([...groups].map((uid) => [uid, nameOf(uid)])),
    identities: new Map(
      people.map((uid) => [uid, { ...nameOf(uid), login: { claimMatch: { issuer: "https://sso.example.com", subject } } }]),
    ),
    roles: new Map([
      ...Object.entries(roles).map(([uid, held]) => [uid, { name: uid, capabilities: held }] as const),
      ["r/custom", { name: "custom", capabilities }],
    ]),
    bindings: bound
      .filter(({ place }) => groups.has(place))
      .map((each, index) => ({ ...each, uid: `${each.place}/binding${index}` })),
    mappings: [],
    unreadable: [],
  };
}

/** A role in a group. */
export const bound = (place: string, roleUid = "viewer", identityUid = "r/i1"): Grant => ({ place, roleUid, identityUid });
/** Changes, one line each. */
export const words = (changes: readonly AccessChange[]) =>
  changes.map(({ effect, severity, holder, role, at, reach, coveredBy }) =>
    [effect, severity, holder.path, role.name, at.path, reach, ...(coveredBy === undefined ? [] : [`by ${coveredBy}`])].join(" "),
  );
