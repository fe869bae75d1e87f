import { styleText } from "node:util";
import type { Severity } from "../../access/severity";

const colours: Readonly<Record<Severity, Parameters<typeof styleText>[0]>> = {
  critical: ["bold", "red"],
  high: "red",
  medium: "yellow",
  low: "green",
  info: "dim",
};

/** The severity as a column of eight characters, in its colour where standard output shows colours. */
export function severityText(severity: Severity): string {
  return styleText(colours[severity], severity.padEnd(8), { stream: process.stdout, validateStream: true });
}
