import { decidesAccess } from "../inventory/kinds";
import type { Values } from "../provider/schema/values";
import { declaredInputs, inputNames, type Kind, shownDifferences } from "../provider/schema/kind";
import { withKnownUids } from "../provider/schema/references";
import { leftMembers } from "../provider/resources/group-access/members";
import { nameOf, type Planned } from "./plan";
import { isHidden } from "./seen";

/**
 * A sentence about the members that a `GroupAccess` still has although its program does not list them any more. An update that failed
 * half-way has stored its inputs, so a plain preview does not show them.
 */
export function undeclaredMembers({ before, urn, op }: Planned): string | undefined {
  if (op === "delete") return undefined;
  const left = leftMembers(before.inputs, before.outputs);
  if (left.length === 0) return undefined;
  const who = left.map(({ label, role }) => `${label} (${role})`).join(", ");
  const next = op === "keep" ? "This update does not remove them: run it with --refresh." : "This update decides about them too.";
  return `${nameOf(urn)}: an earlier update failed half-way, and these still have access that its program did not declare: ${who}. ${next}`;
}

/** A sentence about the fields of another resource that an update failed to write. The platform has the values of the outputs. */
export function unwrittenFields(planned: Planned, kind: Kind): string | undefined {
  const { inputs, outputs, external } = planned.before;
  if (external) return undefined;
  const declared = declaredInputs(kind, withKnownUids(kind.fields, outputs, inputs));
  const shared = Object.keys(declared).filter((field) => field in outputs);
  const read = { ...declared, ...pick(outputs, shared) };
  const differing = inputNames(shownDifferences(kind, read, declared)).filter(
    (field) => decidesAccess(planned, [field]) && ![declared[field], read[field]].some(isHidden),
  );
  if (differing.length === 0) return undefined;
  return `${nameOf(planned.urn)}: an earlier update failed half-way. On the platform, ${differing.join(", ")} still has its earlier value. Run with --refresh.`;
}

function pick(values: Values, fields: readonly string[]): Values {
  return Object.fromEntries(fields.map((field) => [field, values[field]]));
}
