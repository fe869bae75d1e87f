import { logCommand } from "../../provider/client/printable";

/**
 * `value` as JSON, with the exact texts, in which no pipeline finds a command of its log: a reader of JSON takes `\u0023` for `#`.
 *
 * @param indent spaces of a level. Default: all on one line
 */
export function jsonText(value: object, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(logCommand, String.raw`\u0023#`);
}
