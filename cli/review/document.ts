import { describeLogin } from "../../access/prose/describe-login";
import type { Located } from "../../access/holders";
import { roleText } from "../../access/prose/sentence";
import { printable } from "../../provider/client/printable";
import { lineageOf } from "../../provider/client/uid";
import type { ReviewDocument } from "../documents/review";
import type { Review } from "./review";
import type { ReviewedChange } from "./reviewed-changes";
import { sentence } from "./summary";

/** The review as a document for programs. Uids of objects that are not made yet are left out. */
export function reviewDocumentOf(review: Review): Omit<ReviewDocument, "version"> {
  const { changes, renames, undecided, unknown, assumed, warnings, rights, errors, bounds, made } = review;
  const uidOf = (uid: string | undefined) => (uid === undefined || uid === "" || isMade(uid, made) ? {} : { uid });
  const located = ({ uid, path }: Partial<Located>) => ({ ...uidOf(uid), ...(path !== undefined && { path }) });
  return {
    changes: changes.map((change) => ({
      effect: change.effect,
      severity: change.severity,
      identity: { ...located(change.holder), ...identityOf(change) },
      role: change.role.name === undefined ? roleText(change).replace(/,$/, "") : printable(change.role.name),
      ...(change.isWithoutHolder && { withoutHolder: true as const }),
      at: located(change.at),
      ...(change.inheritedFrom && { inheritedFrom: located(change.inheritedFrom) }),
      reach: change.reach,
      through: { kind: change.through.kind, ...uidOf(change.through.uid) },
      ...(change.capabilities && { capabilities: [...change.capabilities] }),
      ...(change.coveredBy !== undefined && { coveredBy: change.coveredBy }),
      ...(change.alarms && { alarms: [...change.alarms] }),
      ...(change.urn !== undefined && { urn: change.urn }),
      message: sentence(change),
    })),
    renames: renames.map(({ uid, ...rename }) => ({ ...rename, ...uidOf(uid) })),
    undecided: undecided.map(({ what, reason }) => ({ what, reason })),
    unknown: unknown.map(({ what, reason }) => ({ what, reason })),
    assumed: assumed.map(({ what, reason }) => ({ what, reason })),
    warnings: [...warnings],
    ...(rights && {
      rights: {
        ...(rights.caller && { caller: located(rights.caller) }),
        by: rights.by,
        calls: rights.calls,
        refused: rights.refused.map(({ at, capabilities, ...call }) => ({
          ...call,
          capabilities: [...capabilities],
          at: located(at),
        })),
        unchecked: [...rights.unchecked],
      },
    }),
    errors: [...errors],
    bounds,
  };
}

function identityOf({ holder }: ReviewedChange): Pick<ReviewDocument["changes"][number]["identity"], "match"> {
  const { login, externalGroupId, email, account } = holder;
  const match = account ?? (login === undefined ? undefined : describeLogin(login));
  return {
    ...(match !== undefined && { match }),
    ...(externalGroupId !== undefined && { externalGroupId }),
    ...(email !== undefined && { email }),
  };
}

/** True for a uid that stands for an object not made yet, or for an object inside one. */
function isMade(uid: string, made: ReadonlySet<string>): boolean {
  return lineageOf(uid).some((each) => made.has(each));
}
