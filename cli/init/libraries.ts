import { readdir, readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { reasonOf } from "../shell/files";
import { UsageError } from "../shell/exit-codes";

/** The library of a language that `npm run sdk` or a release has, as a program names it. */
export interface Library {
  /** Real path of the file or folder. */
  readonly file: string;
  /** The name to import: a module of Python or Go, or a package of Java. */
  readonly name: string;
  /** The text that its release adds to the project: the line `go` of `go.mod`, or the `pom.xml` of a program. */
  readonly release?: string;
}

/** The wheel of Python. @throws UsageError for another file */
export async function pythonWheel(given: string): Promise<Library> {
  const file = await existing(given);
  const [, name] = /^(\w+)-[^-]+(?:-[^-]+)*\.whl$/.exec(path.basename(file)) ?? [];
  if (name === undefined) throw new UsageError(`--sdk ${given} is not a wheel, whose name ends in .whl.`);
  return { file, name };
}

/** The module of Go. @throws UsageError for another folder */
export async function goModule(given: string): Promise<Library> {
  const file = await existing(given);
  const text = await textIn(given, file, "go.mod");
  const [, name] = /^module (\S+)$/m.exec(text) ?? [];
  const [release] = /^go \S+$/m.exec(text) ?? [];
  if (name === undefined || release === undefined) throw new UsageError(`--sdk ${given}: its go.mod has no module and version.`);
  return { file, name, release };
}

/** The library of Java. @throws UsageError for another folder */
export async function javaLibrary(given: string): Promise<Library> {
  const file = await existing(given);
  const release = await textIn(given, file, "program.xml");
  const sources = path.join(file, "src", "main", "java");
  const found = await readdir(sources, { recursive: true }).catch((): string[] => []);
  const group = found.find((each) => each.endsWith(path.join("iam", "Group.java")));
  if (group === undefined) throw new UsageError(`--sdk ${given} has no class Group in src/main/java.`);
  return { file, name: path.dirname(path.dirname(group)).split(path.sep).join("."), release };
}

async function existing(given: string): Promise<string> {
  const file = await realpath(given).catch((error: unknown) => {
    throw new UsageError(`--sdk ${given}: ${reasonOf(error, { ENOENT: "there is no such file or folder." })}`);
  });
  await stat(file);
  return file;
}

async function textIn(given: string, folder: string, name: string): Promise<string> {
  return readFile(path.join(folder, name), "utf8").catch(() => {
    throw new UsageError(
      `--sdk ${given} has no ${name}. Name the folder that \`npm run sdk\` made, or that of a release's archive.`,
    );
  });
}
