import type { AccessChange } from "../../access/compare";
import { sentenceOf } from "../../access/prose/sentence";
import { nameInWords } from "../../access/values";
import { printable } from "../../provider/client/printable";

/** A gain or loss of access as a sentence: `acme/ci (GitHub acme/shop, branch main) becomes owner of acme and 14 groups below.` */
export function changeInWords(change: AccessChange): string {
  const { effect, coveredBy } = change;
  const covered =
    coveredBy === undefined ? "" : `, which ${effect === "gain" ? "it had" : "it keeps"} by ${nameInWords(printable(coveredBy))}`;
  return `${sentenceOf(change)}${covered}.`.replaceAll("\n", "\\n");
}
