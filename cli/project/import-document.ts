import type { Inputs, Kind } from "../../provider/schema/kind";
import { providerText, servedType } from "../../sdk/resources/served-type";
import { jsonText } from "../text/json-text";

/** An object that `pulumi import` adds to the state. */
export interface ImportEntry {
  readonly kind: Pick<Kind, "name" | "collection">;
  readonly logicalName: string;
  readonly id: string;
  readonly inputs: Inputs;
  readonly outputs: Inputs;
}

/** A file for `pulumi import --file`. The import reads no object, so each entry has the whole state. */
// See docs/contributing/engine.md#import.
export function importDocument(entries: readonly ImportEntry[]): string {
  const resources = entries.map(({ kind, logicalName: name, id, inputs, outputs }) => {
    const type = servedType(kind);
    const __provider = providerText(type);
    return { type: type.token, name, id, inputs: { ...inputs, __provider }, outputs: { ...outputs, __provider } };
  });
  return documentOf(resources);
}

/** {@link importDocument} for the resources of the native plugin, which reads each object by its uid. */
export function nativeImportFile(entries: readonly Pick<ImportEntry, "kind" | "logicalName" | "id">[]): string {
  return documentOf(entries.map(({ kind, logicalName: name, id }) => ({ type: nativeToken(kind), name, id })));
}

/** The type of a kind in the native plugin: `platform:iam:Group`. */
export function nativeToken({ name, collection }: ImportEntry["kind"]): string {
  return `platform:${collection.area}:${name}`;
}

function documentOf(resources: readonly object[]): string {
  return `${jsonText({ resources }, 2)}\n`;
}
