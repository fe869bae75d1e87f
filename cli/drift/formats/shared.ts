import { type Severity, severities } from "../../../access/severity";
import type { Finding } from "../../../drift/finding";
import type { DriftDocument } from "../../documents/drift";

/** The rendering of a result, for one format. */
export type Format = (drift: DriftDocument) => string;

/** Findings that are not in the baseline. */
export function newFindings({ findings }: DriftDocument): Finding[] {
  return findings.filter(({ known }) => known !== true);
}

/** `2 critical, 1 low`. */
export function countsBySeverity(findings: readonly Finding[]): string {
  const count = (severity: Severity) => findings.filter((finding) => finding.severity === severity).length;
  return severities
    .filter((severity) => count(severity) > 0)
    .map((severity) => `${count(severity)} ${severity}`)
    .join(", ");
}

/** The last sentence of every format for people. */
export function conclusion(drift: DriftDocument): string {
  const found = newFindings(drift);
  const unreadable = found.filter((finding) => finding.class === "unreadable").length;
  const gaps = drift.ignored.filter((finding) => finding.class === "unreadable").length;
  const real = found.filter((finding) => finding.class !== "unreadable" && finding.class !== "settled");
  const sum = (what: "managed" | "unmanaged") => drift.coverage.reduce((total, row) => total + row[what], 0);
  const parts = [
    real.length === 0
      ? unreadable === 0
        ? gaps === 0
          ? "No drift."
          : "No drift in what was compared."
        : "No drift found, but not everything could be read."
      : `${real.length} ${real.length === 1 ? "finding" : "findings"}: ${countsBySeverity(real)}.`,
    ...(unreadable > 0 && real.length > 0 ? ["Not everything could be read."] : []),
    ...count(drift.findings.length - found.length, "known from the baseline"),
    ...count(drift.ignored.length, "ignored"),
    `${sum("managed")} of ${sum("managed") + sum("unmanaged")} objects are managed.`,
    `${drift.requests} requests.`,
  ];
  return parts.join(" ");
}

function count(number: number, what: string): string[] {
  return number === 0 ? [] : [`${number} ${what}.`];
}
