import { access, constants } from "node:fs/promises";
import path from "node:path";

/** The file of a program on PATH, or in one of the folders `besides`; undefined if there is none. */
export async function onPath(program: string, besides: readonly string[] = []): Promise<string | undefined> {
  const names = process.platform === "win32" ? [`${program}.exe`, `${program}.cmd`] : [program];
  const folders = [...(process.env["PATH"] ?? "").split(path.delimiter), ...besides];
  for (const file of folders.flatMap((folder) => names.map((name) => path.join(folder, name)))) {
    const isProgram = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isProgram) return file;
  }
  return undefined;
}
