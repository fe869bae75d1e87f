import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { bySeverity } from "../access/severity";
import { messageOf, PlatformError } from "../provider/client/errors";
import { hiddenValue } from "./fields";
import { type Finding, findingSchema } from "./finding";

/**
 * The findings of an earlier `--json`.
 *
 * @throws PlatformError `INVALID_INPUT`
 */
export function readBaseline(content: string, file: string): Finding[] {
  const what = `${file} is not a baseline: it must be the output of an earlier \`pulumi-platform drift --json\``;
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (error) {
    throw new PlatformError("INVALID_INPUT", `${what} (${messageOf(error)}).`);
  }
  const { data, error } = z.object({ findings: z.array(findingSchema) }).safeParse(value);
  if (data === undefined)
    throw new PlatformError(
      "INVALID_INPUT",
      `${what} (${error.issues[0]?.path.join(".") ?? ""}: ${error.issues[0]?.message ?? ""}).`,
    );
  return data.findings;
}

/**
 * Marks each of the `findings` that the baseline contains with the same fields and at least the same severity. A finding that is unreadable
 * or has a secret value is never marked, because a further change of it would look the same.
 *
 * @param file the name of the baseline, for the notes
 */
export function markKnown(
  findings: readonly Finding[],
  baseline: readonly Finding[],
  file: string,
): { findings: Finding[]; notes: string[] } {
  const before = Map.groupBy(baseline, findingKey);
  let unverified = 0;
  let hidden = 0;
  const marked = findings.map((finding): Finding => {
    // A higher severity makes a finding new, because more people got access through it.
    const others = (before.get(findingKey(finding)) ?? []).filter((other) => bySeverity(other.severity, finding.severity) <= 0);
    const isSame = others.some((other) => hasSameFields(other, finding));
    if (finding.class === "unreadable" || !(isSame || others.some(lacksFields))) return finding;
    if (isHidden(finding)) {
      hidden++;
      return finding;
    }
    if (!isSame) unverified++;
    return { ...finding, known: true };
  });
  const secret =
    `Findings with secret values stay new although ${file} has them (${hidden}), because it does not show whether they changed again. ` +
    "Repair them, or accept them in an ignore file.";
  const old =
    `${file} was written by an earlier release and does not say who has access through ${unverified} of its objects. ` +
    "Some of their changes are not found. Write it again with `pulumi-platform drift --json`.";
  return { findings: marked, notes: [...(unverified > 0 ? [old] : []), ...(hidden > 0 ? [secret] : [])] };
}

/** The part of a finding that is stable while its fields change, as a key. */
export function findingKey({ class: what, kind, uid, urn = "" }: Finding): string {
  return [what, kind, uid, urn].join("\n");
}

/** True for a baseline of an earlier release, which did not record who has access through an object outside of the states. */
function lacksFields({ class: what, fields }: Finding): boolean {
  return fields === undefined && (what === "unmanaged" || what === "duplicate");
}

function isHidden({ fields = [] }: Finding): boolean {
  return fields.some(({ actual }) => actual === hiddenValue);
}

function hasSameFields({ fields: one = [] }: Finding, { fields: other = [] }: Finding): boolean {
  // A finding read from a file lacks members that are undefined here.
  return isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)));
}
