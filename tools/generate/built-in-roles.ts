import { builtInRoles, publishedRoles } from "../../access/built-in-roles";
import { levelOf } from "../../access/capabilities";
import { levelInWords } from "../../access/prose/level";
import { code, table } from "./table";

/** The capabilities of each built-in role. */
export function builtInRolesTable(): string {
  return table(
    ["role", "its holder can", "capabilities, without `CAP_`"],
    Object.entries(publishedRoles).map(([name, terms]) => [
      code(name),
      levelInWords[levelOf(builtInRoles.get(name))],
      terms.split(" ").map(termInWords).join(", "),
    ]),
  );
}

function termInWords(term: string): string {
  if (term === "*") return "all but those of the platform's staff and services, and deprecated ones";
  if (term.startsWith("*")) return `every ${code(`…${term.slice(1)}`)} of ${code("owner")}`;
  return term.endsWith("*") ? `every ${code(`${term.slice(0, -1)}…`)}` : code(term);
}
