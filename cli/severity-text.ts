import { styleText } from "node:util";
import type { Severity } from "../access/severity";

const colours: Readonly<Record<Severity, Parameters<typeof styleText>[0]>> = {
  critical: ["bold", "red"],
  high: "red",
  medium: "yellow",
  low: "green",
  info: "dim",
};

/** The severity as a column of eight characters, in its colour where the stream shows colours. Default: standard output. */
export function severityText(severity: Severity, stream: NodeJS.WritableStream = process.stdout): string {
  return styleText(colours[severity], severity.padEnd(8), { stream, validateStream: true });
}
