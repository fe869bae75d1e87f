import { printable } from "../../provider/client/printable";

/** The platform's text on one line, without anything that a terminal interprets. */
export function oneLine(text: string): string {
  return printable(text.replaceAll("\n", "\\n"));
}
