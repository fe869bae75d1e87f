import { printable } from "../../provider/client/printable";

/** A text of the platform on one line, without characters that a terminal interprets. */
export function oneLine(text: string): string {
  return printable(text.replaceAll("\n", "\\n"));
}
