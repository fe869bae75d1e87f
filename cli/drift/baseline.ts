import { isDeepStrictEqual } from "node:util";
import { messageOf, PlatformError } from "../../provider/client/errors";
import { driftDocument, type Finding } from "../documents/drift";

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
  const { data, error } = driftDocument.pick({ findings: true }).safeParse(value);
  if (data === undefined)
    throw new PlatformError(
      "INVALID_INPUT",
      `${what} (${error.issues[0]?.path.join(".") ?? ""}: ${error.issues[0]?.message ?? ""}).`,
    );
  return data.findings;
}

/** `findings`, those marked that the baseline has. What is unreadable is never known. */
export function markKnown(findings: readonly Finding[], baseline: readonly Finding[]): Finding[] {
  const before = Map.groupBy(baseline, keyOf);
  return findings.map((finding) => {
    const isKnown =
      finding.class !== "unreadable" &&
      (before.get(keyOf(finding)) ?? []).some((other) => isDeepStrictEqual(differencesIn(other), differencesIn(finding)));
    return isKnown ? { ...finding, known: true } : finding;
  });
}

function keyOf({ class: what, kind, uid, urn = "" }: Finding): string {
  return [what, kind, uid, urn].join("\n");
}

/** Another value of the same field is new. So is a finding that matters more than before: others got access through it. */
function differencesIn({ fields = [], severity }: Finding): unknown {
  // As it is read from a file: members that are undefined are absent.
  return JSON.parse(JSON.stringify({ severity, fields }));
}
