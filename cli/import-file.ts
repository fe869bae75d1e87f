import { providerText, servedType } from "../sdk/served-type";
import type { Converted } from "./terraform-conversion";

/** A file for `pulumi import --file`. No object is read, so each entry has the whole state (docs/engine.md#import). */
export function importFile(resources: readonly Converted[]): string {
  const names = logicalNames(resources);
  const entries = resources.map((resource, index) => {
    const type = servedType(resource.kind);
    const __provider = providerText(type);
    return {
      type: type.token,
      name: names[index],
      id: resource.id,
      inputs: { ...resource.inputs, __provider },
      outputs: { ...resource.outputs, __provider },
    };
  });
  return `${JSON.stringify({ resources: entries }, null, 2)}\n`;
}

/**
 * The logical names of `resources`: the words of their addresses, `team-shop-this`. Where two of a kind would have the same one, the
 * addresses themselves, so that no name depends on the order.
 */
export function logicalNames(resources: readonly Converted[]): string[] {
  const short = resources.map(({ object }) => object.words.join("-"));
  const keys = resources.map(({ kind }, index) => `${kind.name} ${short[index] ?? ""}`);
  const isTaken = (index: number) => keys.some((key, other) => other !== index && key === keys[index]);
  return resources.map(({ object }, index) => (isTaken(index) ? object.address : (short[index] ?? "")));
}

/** What makes Terraform forget objects without deleting them, and which it must not forget yet. */
export interface Removal {
  /** `removed` blocks of Terraform 1.7 and newer. */
  readonly blocks: string;
  /** Blocks that would also forget objects that are not converted. */
  readonly partial: readonly string[];
}

/**
 * The `removed` blocks for `converted`. A block covers every instance, so there is none where an instance stays with Terraform.
 *
 * @param staying the blocks of the objects that are not converted
 */
export function removalOf(converted: readonly Converted[], staying: ReadonlySet<string>): Removal {
  const all = [...new Set(converted.map(({ object }) => object.block))];
  const blocks = all.filter((block) => !staying.has(block));
  return {
    blocks: blocks.map((block) => `removed {\n  from = ${block}\n\n  lifecycle {\n    destroy = false\n  }\n}\n`).join("\n"),
    partial: all.filter((block) => staying.has(block)),
  };
}
