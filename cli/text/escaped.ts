import { printable } from "../../provider/client/printable";

/** `text` for HTML or XML, also inside quotes. Characters that neither allows are spelled out. */
export function escaped(text: string): string {
  return printable(text)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;")
    .replaceAll("\n", "&#10;");
}
