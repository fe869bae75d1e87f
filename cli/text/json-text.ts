import { logCommand } from "../../provider/client/printable";

/**
 * `value` as JSON with the exact texts. A reader of JSON takes `\u0023` for `#`, but a pipeline finds no command in its log.
 *
 * @param indent spaces of a level. Default: all on one line
 */
export function jsonText(value: object, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(logCommand, String.raw`\u0023#`);
}
