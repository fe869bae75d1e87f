import { z } from "zod";
import { messageOf, PlatformError } from "../provider/client/errors";
import { literal, printable, shortList } from "../provider/client/printable";
import { kindOfType } from "../inventory/kinds";

const values = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((given) => given ?? {});
const lists = z.record(
  z.string(),
  z
    .array(z.string())
    .nullable()
    .transform((given) => given ?? []),
);

const state = z.looseObject({
  urn: z.string(),
  type: z.string(),
  custom: z.boolean().default(true),
  id: z.string().default(""),
  importID: z.string().default(""),
  external: z.boolean().default(false),
  retainOnDelete: z.boolean().default(false),
  protect: z.boolean().default(false),
  deletedWith: z.string().default(""),
  provider: z.string().default(""),
  resourceHooks: lists.nullish().transform((given) => given ?? {}),
  inputs: values,
  outputs: values,
  propertyDependencies: lists.nullish().transform((given) => given ?? {}),
});

/** A resource as a step of a preview shows it. A new state has no id and no meaningful outputs. */
export type PreviewState = z.output<typeof state>;

/** The only state of a resource before its create or after its delete. */
export const noState: PreviewState = Object.freeze(state.parse({ urn: "", type: "" }));

const stateOfStep = state.nullish().transform((given) => given ?? noState);

const step = z.looseObject({
  op: z.string(),
  urn: z.string(),
  oldState: stateOfStep,
  newState: stateOfStep,
  replaceReasons: z
    .array(z.string())
    .nullish()
    .transform((given) => given ?? []),
});

/** One step of a preview. */
export type PreviewStep = z.output<typeof step>;

/** The states that a step shows, the newest last. */
export function statesOf({ oldState, newState }: Pick<PreviewStep, "oldState" | "newState">): PreviewState[] {
  return [oldState, newState].filter((each) => each !== noState);
}

const diagnostic = z.looseObject({ urn: z.string().optional(), message: z.string(), severity: z.string() });

const preview = z
  .looseObject({
    steps: z.array(step).nullish(),
    diagnostics: z.array(diagnostic).nullish(),
    changeSummary: z.record(z.string(), z.number()).nullish(),
    config: values,
  })
  .refine(({ steps, diagnostics, changeSummary }) => [steps, diagnostics, changeSummary].some((part) => part != null))
  .transform(({ steps, diagnostics, changeSummary, config }) => ({
    steps: steps ?? [],
    diagnostics: diagnostics ?? [],
    changeSummary: changeSummary ?? {},
    config,
  }));

/** The document of `pulumi preview --json`. */
export interface PreviewFile {
  readonly steps: readonly PreviewStep[];
  /** Errors of a preview that failed and shows only a part. Empty if it passed. */
  readonly errors: readonly string[];
  /** False if the preview shows resources of other providers, but no resource of the platform. */
  readonly isOurs: boolean;
  /** False if the file shows changes but was made without `--show-sames`, so the unchanged resources are missing. */
  readonly isWhole: boolean;
  /** The configuration of its stack, by full keys. A secret is {@link hiddenSecret}. */
  readonly config: Readonly<Record<string, unknown>>;
  /**
   * Names of resources whose replaced objects the update deletes although no step shows it. Only the state tells. Default: none.
   */
  readonly unshown?: readonly string[];
  /** Settings of the platform at the last update, from the engine's default providers in the state; undefined if nothing shows them. */
  readonly formerSettings?: Readonly<Record<string, unknown>>;
}

/** The command that writes a whole preview. Its last flag shows objects that were replaced earlier and never deleted. */
// See docs/contributing/engine.md#replaced-objects-in-previews.
export const previewCommand = "pulumi preview --json --show-sames --show-replacement-steps";

const how = `Write one with \`${previewCommand}\`.`;

/**
 * Reads the JSON document of a preview.
 *
 * @param source the name of the text in errors
 * @throws PlatformError `INVALID_INPUT` for a text that is no preview
 */
export function readPreviewFile(text: string, source: string): PreviewFile {
  if (text.trim() === "") throw notPreview(source, "empty");
  const { data, error } = preview.safeParse(json(text, source));
  if (data === undefined) {
    const at = error.issues[0]?.path.map(String).join(".") ?? "";
    throw notPreview(source, `not a preview${at === "" ? "" : ` (at ${literal(at)})`}`);
  }
  const { steps, config, diagnostics, changeSummary } = data;
  return {
    steps,
    config,
    isOurs: isOurs(steps),
    errors: saidOnce(
      diagnostics.flatMap(({ severity, message }) =>
        severity === "error" ? printable(message.replace(/^error: /, "").trim()) : [],
      ),
    ),
    isWhole: isWhole(steps, changeSummary),
  };
}

/** Maximum number of resources that an error names. */
const mostNamed = 5;

/** The errors without repetitions. A missing setting is an error of every resource, with the same reason. */
function saidOnce(errors: readonly string[]): string[] {
  const parts = [...new Set(errors)].map((error) => {
    const [, resource = "", reason = error] = /^\S+ resource '(.*?)' has a problem: (.*)$/s.exec(error) ?? [];
    return { error, resource, reason };
  });
  return [...Map.groupBy(parts, ({ reason }) => reason)].flatMap(([reason, alike]) => {
    const [first, ...others] = alike;
    if (first === undefined || others.length === 0) return first?.error ?? [];
    const resources = [...new Set(alike.map(({ resource }) => `'${resource}'`))];
    return `Resources ${shortList(resources, mostNamed)} have a problem: ${reason}`;
  });
}

function notPreview(source: string, what: string): PlatformError {
  return new PlatformError("INVALID_INPUT", `${source} is ${what}. ${how}`);
}

function isOurs(steps: readonly PreviewStep[]): boolean {
  const types = steps.flatMap((each) => statesOf(each).map(({ type }) => type));
  return types.every((type) => type.startsWith("pulumi:")) || types.some((type) => kindOfType(type) !== undefined);
}

/** @param summary the number of steps of each operation, shown or not */
function isWhole(steps: readonly PreviewStep[], summary: Readonly<Record<string, number>>): boolean {
  // Ignore the steps of a refresh: without `--run-program` they show the state before it.
  const unchanged = steps.filter(({ op }) => op === "same").length;
  const operations = Object.keys(summary).filter((op) => summary[op] !== 0);
  const changesNothing = unchanged === steps.length && operations.join() === "same";
  // A program always has a stack, which has a step. Unchanged resources matter only beside a change.
  return changesNothing || (steps.length > 0 && (summary["same"] ?? 0) <= unchanged);
}

/** @throws PlatformError `INVALID_INPUT` for a text that is not JSON, and for a state */
function json(text: string, source: string): unknown {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    const isEvents = /^\s*\{"sequence"/.test(text);
    throw notPreview(source, printable(isEvents ? "a log of events" : `not JSON: ${messageOf(error).slice(0, 200)}`));
  }
  const isState = typeof document === "object" && document !== null && ("deployment" in document || "checkpoint" in document);
  if (isState) throw notPreview(source, "a state, not a preview");
  return document;
}
