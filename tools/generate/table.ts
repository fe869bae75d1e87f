import type { Shape } from "../../provider/schema/field";

/** The type of a value of `shape`, for people. */
export function typeOf(shape: Shape): string {
  switch (shape.is) {
    case "number":
      return "number";
    case "flag":
      return "boolean";
    case "set":
    case "list":
      return `${typeOf(shape.of)}[]`;
    case "map":
      return `Record<string, ${typeOf(shape.of)}>`;
    case "message":
      return shape.name;
    case "uid":
      return shape.or === undefined ? "string" : `string | ${typeOf(shape.or.message)}`;
    case "reference":
      return shape.to === "identity" ? "string | { issuer, subject }" : "string";
    default:
      return "string";
  }
}

/** `text` as code. */
export function code(text: string): string {
  return `\`${text}\``;
}

/** A Markdown table in the form that Prettier leaves as it is. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const [first = "", ...others] = cells.map(line);
  return [first, line(widths.map((width) => "-".repeat(width))), ...others].join("\n");
}

/** A comment without its default, and the default. */
export function withDefault(comment: string): [text: string, standard: string | undefined] {
  const [sentence, value] = / ?Default: (.*?)\.(?= |$)/.exec(comment) ?? [];
  return [sentence === undefined ? comment : comment.replace(sentence, "").trim(), value];
}
