import type { AccessChange } from "../../access/compare";
import { bySeverity } from "../../access/severity";
import { kindNames } from "../../inventory/kinds";
import { objectKey } from "../../inventory/objects";

/** A change, with the resource that causes it. */
export interface ReviewedChange extends AccessChange {
  readonly urn?: string;
}

/** The changes with their resources, the most severe first. @param urns URNs by {@link objectKey} */
export function reviewedChanges(changes: readonly AccessChange[], urns: ReadonlyMap<string, string>): ReviewedChange[] {
  return changes.map((change) => withUrn(change, urns)).sort((one, other) => bySeverity(one.severity, other.severity));
}

function withUrn(change: AccessChange, urns: ReadonlyMap<string, string>): ReviewedChange {
  const { kind, uid } = change.through;
  const kinds = kind === "login" ? [kindNames.identity, kindNames.identityProvider] : [kindNames[kind]];
  const urn = kinds.map((each) => urns.get(objectKey({ kind: each, uid }))).find((each) => each !== undefined);
  return { ...change, ...(urn !== undefined && { urn }) };
}
