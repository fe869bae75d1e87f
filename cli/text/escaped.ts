import { printable } from "../../provider/client/printable";

/** `text` within HTML or XML, in quotes too. Characters that neither allows are spelled out. */
export function escaped(text: string): string {
  return printable(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;")
    .replaceAll("\n", "&#10;");
}
