import { importDocument } from "../project/import-document";
import type { Converted } from "./conversion";

/** {@link importDocument} for the converted resources. */
export function importFile(resources: readonly Converted[]): string {
  const names = logicalNames(resources);
  return importDocument(resources.map((resource, index) => ({ ...resource, logicalName: names[index] ?? resource.id })));
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
