import { existsSync } from "node:fs";
import path from "node:path";

/** The file of the Pulumi project around a folder; undefined without one. */
export function projectFile(folder = process.cwd()): string | undefined {
  const files = ["yaml", "yml", "json"].map((type) => path.join(folder, `Pulumi.${type}`));
  const above = path.dirname(folder);
  return files.find((file) => existsSync(file)) ?? (above === folder ? undefined : projectFile(above));
}

/**
 * The folder where relative paths of settings start. It is that of the project's file, or the working directory without a project. With
 * `main` in that file, programs and providers work in another folder than commands.
 */
export function settingsFolder(): string {
  const file = projectFile();
  return file === undefined ? process.cwd() : path.dirname(file);
}
