import { printable } from "../provider/client/printable";
import { isValues } from "../provider/schema/values";
import { nameInWords } from "../access/values";

/**
 * A note for each identity provider on whether SCIM is on. No List shows that, nor the changes made with SCIM tokens
 * (docs/platform-api.md#identity-providers). It is not a finding, because no compared value has changed and a run without findings must
 * stay possible.
 *
 * @param providers `scim` of each by path, as of the last read in the state; undefined if no state contains it
 */
export function scimNotes(providers: readonly (readonly [path: string, scim: unknown])[]): string[] {
  return providers.map(([path, scim]) => {
    const was = isValues(scim)
      ? `it was ${scim["enabled"] === true ? "on" : "off"} when the state was last read`
      : "no state says";
    return (
      `SCIM of identity provider ${nameInWords(printable(path))} was not compared, because no List shows it (${was}). ` +
      "While it is on, holders of its tokens can add people and put them into groups of the provider, unseen by any List."
    );
  });
}
