import { Fragment } from "preact";
import type { Severity } from "../../access/severity";

/** The severity, in a word and a colour. */
export function SeverityMark({ severity }: { readonly severity: Severity }) {
  return <span class={`mark ${severity}`}>{severity}</span>;
}

/** A path that breaks after a slash in a narrow column, and not within a name. */
export function Path({ text }: { readonly text: string }) {
  const [first, ...others] = text.split(/(?<=\/)/);
  return (
    <>
      {first}
      {others.map((part, index) => (
        <Fragment key={index}>
          <wbr />
          {part}
        </Fragment>
      ))}
    </>
  );
}

/** Marks an object that differs from its declaration, or that contains one that does. */
export function DriftMark({ severity }: { readonly severity: Severity }) {
  return (
    <span class={`mark ${severity}`} title={`drift here or below, ${severity} at worst`}>
      drift<span class="hidden">, {severity} at worst</span>
    </span>
  );
}
