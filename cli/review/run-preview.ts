import { spawn } from "node:child_process";
import { previewCommand, type PreviewFile, readPreviewFile } from "../../preview/file";
import { readText } from "../shell/files";
import { PlatformError } from "../../provider/client/errors";
import { asSentence, printable } from "../../provider/client/printable";

/** The preview to read, or to run. */
export interface PreviewOptions {
  /** `-` is standard input. Default: the program in the working directory is previewed. */
  readonly file?: string;
  readonly stack?: string;
  readonly refresh?: boolean;
}

/** The preview in the file, or else a new preview of the program. @throws PlatformError `INVALID_INPUT` for a preview of another program */
export async function previewFrom({ file, ...options }: PreviewOptions): Promise<PreviewFile> {
  if (file === undefined) return runPreview(options);
  const source = printable(file === "-" ? "Standard input" : file);
  const preview = readPreviewFile(await readText(file), source);
  if (preview.isOurs) return preview;
  throw new PlatformError(
    "INVALID_INPUT",
    `${source} is the preview of another program: none of its resources is one of the platform.`,
  );
}

/**
 * The preview of the program in the working directory. A failed preview also prints a document with its errors, unless a policy stops it.
 *
 * @throws PlatformError `CONFIGURATION` if the Pulumi CLI cannot run, or prints no document
 */
async function runPreview({ stack, refresh }: PreviewOptions): Promise<PreviewFile> {
  const parameters = [...previewCommand.split(" ").slice(1), "--non-interactive"];
  if (stack !== undefined) parameters.push("--stack", stack);
  // Without the program, a refresh would use the configuration and credentials of the last update.
  if (refresh === true) parameters.push("--refresh", "--run-program");
  const { output, errors, code } = await run(parameters);
  const said = printable(errors.replace(/^error: /, "").trim());
  if (output.trim() !== "") {
    const preview = readPreviewFile(output, "The output of `pulumi preview`");
    const isExplained = code === 0 || preview.errors.length > 0;
    return isExplained ? preview : { ...preview, errors: [`\`pulumi preview\` ended with exit code ${code}. ${said}`.trim()] };
  }
  throw new PlatformError(
    "CONFIGURATION",
    `\`pulumi preview\` printed no preview: ${asSentence(said === "" ? "it said nothing" : said)} ` +
      "Run the command in the folder of the program, logged in to its backend, or pass --file.",
  );
}

async function run(parameters: readonly string[]): Promise<{ output: string; errors: string; code: number }> {
  return new Promise((resolve, reject) => {
    const environment = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true", NO_COLOR: "1" };
    const child = spawn("pulumi", parameters, { env: environment, stdio: ["ignore", "pipe", "pipe"] });
    const [output, errors]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
    child.on("error", (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === "ENOENT" ? "the Pulumi CLI `pulumi` is not on PATH. Install it, or pass --file." : error.message;
      reject(new PlatformError("CONFIGURATION", `Run a preview: ${reason}`));
    });
    child.on("close", (code) => {
      resolve({ output: Buffer.concat(output).toString(), errors: Buffer.concat(errors).toString(), code: code ?? 1 });
    });
  });
}
