import type { Severity } from "../../access/severity";

/** How bad something is, in a word and a colour. */
export function SeverityMark({ severity }: { readonly severity: Severity }) {
  return <span class={`mark ${severity}`}>{severity}</span>;
}

/** Marks what differs from the declarations, or holds something that does. */
export function DriftMark({ severity }: { readonly severity: Severity }) {
  return (
    <span class={`mark ${severity}`} title={`drift here or below, ${severity} at worst`}>
      drift<span class="hidden">, {severity} at worst</span>
    </span>
  );
}
