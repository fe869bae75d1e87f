import type { InventoryObject } from "../../inventory/objects";
import { type PreviewFile, readPreviewFile } from "../../inventory/preview-file";

/** Uid of the organisation that steps are in unless they say otherwise. */
export const root = "0".repeat(40);

/** A resource of a preview, before and after. Outputs are as the inputs before, unless `outputs` has others. */
export function step(
  kind: string,
  name: string,
  was: object | undefined,
  is: object,
  { outputs = {}, form = "platform:iam:", within = "", of = root, op = "update" } = {},
) {
  const type = `${form}${kind}`;
  const state = { urn: `urn:pulumi:a::b::${within}${type}::${name}`, type, custom: true, id: `${of}/${name}` };
  const oldState = was && { ...state, inputs: was, outputs: { ...was, ...outputs } };
  const done = was === undefined ? "create" : was === is ? "same" : op;
  const isMade = done === "create" || done === "replace";
  return { op: done, urn: state.urn, oldState, newState: { ...state, ...(isMade && { id: "" }), inputs: is } };
}

/** A resource that does not change. */
export function stays(kind: string, name: string, inputs: object, of = root) {
  return step(kind, name, inputs, inputs, { of });
}

/** What the engine prints of a preview of a stack with these steps. */
export function previewText(steps: readonly object[]): string {
  const stack = {
    op: "same",
    urn: "urn:pulumi:a::b::pulumi:pulumi:Stack::c",
    oldState: { urn: "", type: "pulumi:pulumi:Stack" },
  };
  return JSON.stringify({ steps: [stack, ...steps] });
}

/** The preview of a stack with these steps. */
export function previewOf(...steps: readonly object[]): PreviewFile {
  return readPreviewFile(previewText(steps), "the file");
}

/** An object that the platform shows besides the program. */
export function object(kind: string, uid: string, value: object): InventoryObject {
  return { kind: `iam:${kind}`, uid, place: uid.split("/").slice(0, -1).join("/"), value: { ...value } };
}
