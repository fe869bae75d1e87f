import type { PreviewFile } from "../../preview/file";
import { nameOf } from "../../preview/plan";
import { literal } from "../../provider/client/printable";
import type { Progress } from "../shell/progress";
import { stackInUse } from "../shell/settings";
import { projectName, verifyBackend } from "../shell/stack";
import { formerStateOf } from "./former-state";
import type { KnownOptions } from "./known";
import { previewFrom, type PreviewOptions } from "./run-preview";

/** The input of a review. */
interface Previewed {
  readonly file: PreviewFile;
  /** The stack whose settings apply; undefined if only the environment applies. */
  readonly stack: string | undefined;
}

/** The preview, and the stack whose settings apply. */
export async function previewed(given: PreviewOptions & KnownOptions, progress: Progress): Promise<Previewed> {
  if (given.file === undefined) {
    const stack = await stackInUse(given.stack);
    progress.update("Previewing...");
    return withFormer(await previewFrom({ ...given, ...(stack !== undefined && { stack }) }), stack, true);
  }
  progress.update("Reading...");
  const file = await previewFrom(given);
  progress.clear();
  return withFormer(file, await stackOfFile(file, given), false);
}

/**
 * Adds the facts that only the state of the stack shows.
 *
 * @param isOwn whether this command has run the preview, which then shows what the update deletes
 */
async function withFormer(file: PreviewFile, stack: string | undefined, isOwn: boolean): Promise<Previewed> {
  if (stack === undefined) return { file, stack };
  const { settings, replaced } = await formerStateOf(stack);
  // A refresh only reads the object.
  const acting = file.steps.filter(({ op }) => op !== "refresh");
  const shown = new Set(acting.map(({ oldState }) => `${oldState.urn} ${oldState.id}`));
  const unshown = replaced.flatMap(({ urn, id }) => (isOwn || shown.has(`${urn} ${id}`) ? [] : nameOf(urn)));
  return { file: { ...file, unshown, ...(settings && { formerSettings: settings }) }, stack };
}

/**
 * The stack that `--stack` names, else the selected one if the file is its preview, because the settings of another stack could show
 * another organisation. Tells the user if neither a stack nor the environment names the platform.
 */
async function stackOfFile({ steps }: PreviewFile, { stack, offline, as }: KnownOptions): Promise<string | undefined> {
  if (stack === undefined && (offline === true || process.env["PLATFORM_BASE_URL"]?.trim())) return undefined;
  verifyBackend("Review the preview alone: --offline, without --stack.");
  if (stack !== undefined) return stack;
  const [, name, project] = /^urn:pulumi:([^:]+)::([^:]+)::/.exec(steps[0]?.urn ?? "") ?? [];
  const used = await stackInUse(undefined, (selected) => selected === name && projectName() === project);
  // `--as` needs the platform, so its own error names the missing setting.
  if (used === undefined && as === undefined) {
    const it = name === undefined ? "--stack" : `--stack ${literal(name)} in the folder of project ${literal(project)}`;
    process.stderr.write(
      `Reviewed alone: neither the platform nor the settings of the stack are known. Pass ${it}, or set PLATFORM_BASE_URL.\n`,
    );
  }
  return used;
}
