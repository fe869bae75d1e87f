import { z } from "zod";
import { messageOf, PlatformError } from "../provider/client/errors";
import { literal, printable } from "../provider/client/printable";
import { kindOfType } from "../inventory/kinds";

const resource = z.looseObject({
  urn: z.string(),
  type: z.string(),
  custom: z.boolean().optional(),
  id: z.string().optional(),
  importID: z.string().optional(),
  external: z.boolean().optional(),
  retainOnDelete: z.boolean().optional(),
  deletedWith: z.string().optional(),
  provider: z.string().optional(),
  resourceHooks: z.record(z.string(), z.array(z.string()).nullable()).nullish(),
  inputs: z.record(z.string(), z.unknown()).nullish(),
  outputs: z.record(z.string(), z.unknown()).nullish(),
  propertyDependencies: z.record(z.string(), z.array(z.string()).nullable()).nullish(),
});

/** A resource as a step of a preview shows it: new states have no id and no outputs that mean anything. */
export type PreviewState = z.output<typeof resource>;

const step = z.looseObject({
  op: z.string(),
  urn: z.string(),
  oldState: resource.nullish(),
  newState: resource.nullish(),
  replaceReasons: z.array(z.string()).nullish(),
});

/** One step of a preview. */
export type PreviewStep = z.output<typeof step>;

const preview = z.looseObject({
  steps: z.array(step).nullish(),
  diagnostics: z.array(z.looseObject({ urn: z.string().optional(), message: z.string(), severity: z.string() })).nullish(),
  changeSummary: z.record(z.string(), z.number()).nullish(),
  config: z.record(z.string(), z.unknown()).nullish(),
});

/** What `pulumi preview --json` prints. */
export interface PreviewFile {
  readonly steps: readonly PreviewStep[];
  /** Why the preview failed: it shows only a part. Empty: it did not. */
  readonly errors: readonly string[];
  /** False where other providers have resources in it, and the platform has none. */
  readonly isOurs: boolean;
  /** False where something changes, and resources that do not are missing: the file was made without `--show-sames`. */
  readonly isWhole: boolean;
  /** The configuration of its stack, by full keys. A secret is {@link hiddenSecret}. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Settings of the platform at the last update, as the engine's default providers have them in the state; undefined where nothing shows them. */
  readonly formerSettings?: Readonly<Record<string, unknown>>;
}

const how = "Write one with `pulumi preview --json --show-sames`.";

/**
 * Reads the JSON document of a preview.
 *
 * @param source what the text is called in errors
 * @throws PlatformError `INVALID_INPUT` for a text that is none
 */
export function readPreviewFile(text: string, source: string): PreviewFile {
  if (text.trim() === "") throw new PlatformError("INVALID_INPUT", `${source} is empty. ${how}`);
  const document = json(text, source);
  if (typeof document === "object" && document !== null && ("deployment" in document || "checkpoint" in document))
    throw new PlatformError("INVALID_INPUT", `${source} is a state, not a preview. ${how}`);
  const { data, error } = preview.safeParse(document);
  const isPreview = data !== undefined && (data.steps != null || data.diagnostics != null || data.changeSummary != null);
  if (!isPreview) {
    const at = error?.issues[0]?.path.map(String).join(".") ?? "";
    throw new PlatformError("INVALID_INPUT", `${source} is not a preview${at === "" ? "" : ` (at ${literal(at)})`}. ${how}`);
  }
  const steps = data.steps ?? [];
  const errors = (data.diagnostics ?? []).filter(({ severity }) => severity === "error");
  // What a refresh shows does not count: without `--run-program` that is the state as it was before.
  const unchanged = steps.filter(({ op }) => op === "same");
  const types = steps.flatMap(({ oldState, newState }) => (newState ?? oldState)?.type ?? []);
  const others = types.filter((type) => !type.startsWith("pulumi:"));
  const summary = Object.entries(data.changeSummary ?? {}).filter(([, count]) => count > 0);
  const changesNothing = unchanged.length === steps.length && summary.length > 0 && summary.every(([op]) => op === "same");
  return {
    steps,
    config: data.config ?? {},
    isOurs: others.length === 0 || types.some((type) => kindOfType(type) !== undefined),
    errors: errors.map(({ message }) => printable(message.replace(/^error: /, "").trim())),
    // A program always has a stack, which has a step. What stays matters only beside what changes.
    isWhole: changesNothing || (steps.length > 0 && (data.changeSummary?.["same"] ?? 0) <= unchanged.length),
  };
}

function json(text: string, source: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const isEvents = /^\s*\{"sequence"/.test(text);
    const what = isEvents ? "a log of events" : `not JSON: ${messageOf(error).slice(0, 200)}`;
    throw new PlatformError("INVALID_INPUT", `${source} is ${printable(what)}. ${how}`);
  }
}
