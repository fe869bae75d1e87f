import { printable } from "../provider/client/printable";
import { isValues } from "../provider/schema/values";
import { nameInWords } from "../access/values";

/**
 * What no List shows, a note for each identity provider: whether SCIM is on, and what is made with its tokens
 * (docs/platform-api.md#identity-providers). Not a finding: nothing that is compared has changed, and a clean run stays possible.
 *
 * @param providers their `scim`, by path, as the state had it at the last read; undefined if no state has any
 */
export function scimNotes(providers: readonly (readonly [path: string, scim: unknown])[]): string[] {
  return providers.map(([path, scim]) => {
    const was = isValues(scim)
      ? `it was ${scim["enabled"] === true ? "on" : "off"} when the state was last read`
      : "no state says";
    return (
      `SCIM of identity provider ${nameInWords(printable(path))} was not compared, because Lists do not show whether it is on (${was}). ` +
      "Where it is, whoever has one of its tokens can add people and put them into groups of the provider, which no List shows either."
    );
  });
}
