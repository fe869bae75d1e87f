import type { Start } from "./pattern-starts";

/**
 * The name of the customer in a value that begins with `start`; undefined unless it is certain.
 *
 * @param form the beginning of such values. `*` stands for the name, which ends with the text after `*`, or with the value; `#` stands for
 * a number that is the whole value
 */
export function tenantIn(form: string, { text, isWhole }: Start): string | undefined {
  if (form === "#") return isWhole && /^\d+$/.test(text) ? text : undefined;
  const [before = "", closing = ""] = form.split("*");
  if (!text.startsWith(before)) return undefined;
  const rest = text.slice(before.length);
  if (closing === "") return isWhole && rest !== "" ? rest : undefined;
  const end = rest.indexOf(closing);
  const name = end >= 0 ? rest.slice(0, end) : isWhole ? rest : "";
  return /^[^/:]+$/.test(name) ? name : undefined;
}

/** True if each of the beginnings names a customer in one of the forms. */
export function areClosed(forms: readonly string[], starts: readonly Start[] | undefined): boolean {
  return starts?.every((start) => forms.some((form) => tenantIn(form, start) !== undefined)) === true;
}
