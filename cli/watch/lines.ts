import { printable } from "../../provider/client/printable";
import { documentVersion } from "../documents/document";
import type { WatchDocument } from "../documents/watch";
import { jsonText } from "../text/json-text";
import type { Change } from "./changes";

/** A change for people. */
export function line({ event, finding }: Change, time: number): string {
  const { severity, class: what, kind, path, message } = finding;
  return printable(`${new Date(time).toISOString()} ${event} ${severity} ${what} ${kind} ${path}: ${message}`).replaceAll(
    "\n",
    " ",
  );
}

/** A change for programs. */
export function jsonLine(change: Change, time: number): string {
  const printed: WatchDocument = { version: documentVersion, time: new Date(time).toISOString(), ...change };
  return jsonText(printed);
}

/** Writes a message other than a change to standard error. */
export function warn(text: string): void {
  process.stderr.write(`${printable(text)}\n`);
}
