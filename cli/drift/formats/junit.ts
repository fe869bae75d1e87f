import type { Finding } from "../../../drift/finding";
import type { DriftDocument } from "../../documents/drift";
import { escaped } from "../../text/escaped";
import { newFindings } from "./shared";

/** JUnit XML with a suite for each kind, a failure for each finding, an error for each unreadable part, and the notes. */
export function junit(drift: DriftDocument): string {
  const findings = newFindings(drift);
  const kinds = [...new Set([...drift.coverage.map(({ kind }) => kind), ...findings.map(({ kind }) => kind)])].sort();
  const suites = kinds.map((kind) =>
    suite(
      kind,
      findings.filter((finding) => finding.kind === kind),
    ),
  );
  const all = [...suites, ...(drift.notes.length === 0 ? [] : [notesSuite(drift.notes)])].join("\n");
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="pulumi-platform drift">\n${all}\n</testsuites>\n`;
}

/** The notes of the run. */
function notesSuite(notes: readonly string[]): string {
  const text = notes.map(escaped).join("\n");
  return `  <testsuite name="notes" tests="0" failures="0" errors="0">\n    <system-out>${text}</system-out>\n  </testsuite>`;
}

function suite(kind: string, findings: readonly Finding[]): string {
  const errors = findings.filter(isError).length;
  const failures = findings.filter((finding) => !isError(finding) && !isSettled(finding)).length;
  const cases = findings.length === 0 ? [`    <testcase classname="${escaped(kind)}" name="no drift"/>`] : findings.map(testCase);
  const counts = `tests="${cases.length}" failures="${failures}" errors="${errors}"`;
  return `  <testsuite name="${escaped(kind)}" ${counts}>\n${cases.join("\n")}\n  </testsuite>`;
}

function testCase(finding: Finding): string {
  const { class: what, severity, kind, uid, path, message } = finding;
  const open = `    <testcase classname="${escaped(kind)}" name="${escaped(`${path} (${uid})`)}"`;
  if (isSettled(finding)) return `${open}/>`;
  const element = isError(finding) ? "error" : "failure";
  return `${open}>\n      <${element} type="${what} ${severity}" message="${escaped(message)}"/>\n    </testcase>`;
}

function isError(finding: Finding): boolean {
  return finding.class === "unreadable";
}

function isSettled(finding: Finding): boolean {
  return finding.class === "settled";
}
