import { styleText } from "node:util";
import { levelOf } from "../../access/capabilities";
import type { EffectiveGrant } from "../../access/effective";
import { type Severity, severityOf } from "../../access/severity";
import { parentOf } from "../../provider/client/uid";

const colours: Readonly<Record<Severity, Parameters<typeof styleText>[0]>> = {
  critical: ["bold", "red"],
  high: "red",
  medium: "yellow",
  low: "green",
  info: "dim",
};

/** The severity as a column of eight characters, in its colour. */
export function severityText(severity: Severity): string {
  return inColour(severity, severity.padEnd(8));
}

/** The name of a role, in the colour for the severity of its gain in the group `at`. */
export function roleText({ role, at }: Pick<EffectiveGrant, "role" | "at">, name: string): string {
  const isRoot = parentOf(at.uid) === undefined;
  return inColour(severityOf({ effect: "gain", level: levelOf(role.capabilities), isRoot, reach: 0 }), name);
}

/** Plain if standard output shows no colours. */
function inColour(severity: Severity, text: string): string {
  return styleText(colours[severity], text, { stream: process.stdout, validateStream: true });
}
