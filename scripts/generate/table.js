/** The type of a value of `shape`, for people. */
function typeOf(shape) {
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
    case "reference":
      return shape.to === "identity" ? "string | { issuer, subject }" : "string";
    default:
      return "string";
  }
}

/** `text` as code. */
function code(text) {
  return `\`${text}\``;
}

/** A Markdown table in the form that Prettier leaves as it is. */
function table(head, rows) {
  const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => row[column].length)));
  const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |`;
  const [first, ...others] = cells.map(line);
  return [first, line(widths.map((width) => "-".repeat(width))), ...others].join("\n");
}

/** A comment without its default, and the default. */
function withDefault(comment) {
  const [sentence, value] = / ?Default: (.*?)\.(?= |$)/.exec(comment) ?? [];
  return [sentence === undefined ? comment : comment.replace(sentence, "").trim(), value];
}

module.exports = { code, table, typeOf, withDefault };
