import type { Inputs, Kind } from "../../provider/schema/kind";
import { providerText, servedType } from "../../sdk/resources/served-type";
import { jsonText } from "../text/json-text";
import type { Converted } from "./conversion";

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

/** {@link importDocument} for the converted resources. */
export function importFile(resources: readonly Converted[]): string {
  const names = logicalNames(resources);
  return importDocument(resources.map((resource, index) => ({ ...resource, logicalName: names[index] ?? resource.id })));
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

/**
 * The logical names of `resources`, which are the words of their addresses: `team-shop-this`. If two of a kind had the same name, both get
 * their addresses instead, so that no name depends on the order.
 */
export function logicalNames(resources: readonly Converted[]): string[] {
  const short = resources.map(({ object }) => object.words.join("-"));
  const keys = resources.map(({ kind }, index) => `${kind.name} ${short[index] ?? ""}`);
  const isTaken = (index: number) => keys.some((key, other) => other !== index && key === keys[index]);
  return resources.map(({ object }, index) => (isTaken(index) ? object.address : (short[index] ?? "")));
}

/** The blocks that make Terraform forget objects without deleting them, and the objects it must not forget yet. */
export interface Removal {
  /** `removed` blocks of Terraform 1.7 and newer. */
  readonly blocks: string;
  /** Blocks that would also forget unconverted objects. */
  readonly partial: readonly string[];
}

/**
 * The `removed` blocks for `converted`. A block covers every instance, so a block with an unconverted instance is left out.
 *
 * @param staying the blocks of unconverted objects
 */
export function removalOf(converted: readonly Converted[], staying: ReadonlySet<string>): Removal {
  const all = [...new Set(converted.map(({ object }) => object.block))];
  const blocks = all.filter((block) => !staying.has(block));
  return {
    blocks: blocks.map((block) => `removed {\n  from = ${block}\n\n  lifecycle {\n    destroy = false\n  }\n}\n`).join("\n"),
    partial: all.filter((block) => staying.has(block)),
  };
}
