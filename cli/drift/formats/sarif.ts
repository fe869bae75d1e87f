import type { Severity } from "../../../access/severity";
import { printable } from "../../../provider/client/printable";
import { version } from "../../../provider/client/version";
import { driftClasses, type Finding } from "../../../drift/finding";
import { type DriftDocument } from "../../documents/drift";
import { jsonText } from "../../text/json-text";

const levels: Readonly<Record<Severity, "error" | "warning" | "note">> = {
  critical: "error",
  high: "error",
  medium: "warning",
  low: "note",
  info: "note",
};

/** The scores from 0 to 10 by which code scanning ranks findings. */
const scores: Readonly<Record<Severity, string>> = { critical: "9.5", high: "8.0", medium: "5.0", low: "2.0", info: "0.0" };

const meanings: Readonly<Record<Finding["class"], string>> = {
  changed: "An object differs from its state.",
  missing: "An object in a state no longer exists.",
  unmanaged: "An object is in no state.",
  duplicate: "Two resources manage one object, or two objects have one natural key.",
  settled: "An object is gone because it has served its purpose.",
  unreadable: "It is not known whether there is drift.",
};

/** SARIF 2.1.0, for code scanning. */
export function sarif(drift: DriftDocument): string {
  const rules = driftClasses.flatMap((name) =>
    levelsIn(drift, name).map((severity) => ({
      id: `${name}/${severity}`,
      name: `${name}-${severity}`,
      shortDescription: { text: meanings[name] },
      defaultConfiguration: { level: levels[severity] },
      properties: { "security-severity": scores[severity], tags: ["security", "drift"] },
    })),
  );
  const run = {
    tool: { driver: { name: "pulumi-platform drift", semanticVersion: version, rules } },
    columnKind: "utf16CodeUnits",
    ...(drift.notes.length > 0 && { invocations: [invocationOf(drift)] }),
    results: drift.findings.map(resultOf),
  };
  return `${jsonText({ $schema: "https://json.schemastore.org/sarif-2.1.0.json", version: "2.1.0", runs: [run] }, 2)}\n`;
}

/** The notes of the run. */
function invocationOf({ notes }: DriftDocument) {
  const toolExecutionNotifications = notes.map((note) => ({ level: "note", message: { text: withoutLinks(printable(note)) } }));
  return { executionSuccessful: true, toolExecutionNotifications };
}

function levelsIn({ findings }: DriftDocument, name: Finding["class"]): Severity[] {
  return [...new Set(findings.filter((finding) => finding.class === name).map(({ severity }) => severity))];
}

/** SARIF reads `[text](address)` in messages as a link, and names must not become links. */
function withoutLinks(text: string): string {
  return text.replace(/\\*[[\]]/g, (found) => `${found.slice(0, -1).repeat(2)}\\${found.slice(-1)}`);
}

function resultOf(finding: Finding) {
  const { class: what, severity, kind, uid, path, message, urn, known } = finding;
  return {
    ruleId: `${what}/${severity}`,
    level: levels[severity],
    message: { text: withoutLinks(message) },
    // Code scanning requires a file, although the object is in no file.
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: "Pulumi.yaml" }, region: { startLine: 1 } },
        logicalLocations: [{ name: printable(path), fullyQualifiedName: `${kind} ${uid}`, kind: "resource" }],
      },
    ],
    partialFingerprints: { "object/v1": [what, kind, uid, urn ?? ""].join(" ") },
    baselineState: known === true ? "unchanged" : "new",
    properties: { kind, uid, path, ...(urn !== undefined && { urn }) },
  };
}
