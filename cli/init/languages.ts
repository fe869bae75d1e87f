import path from "node:path";
import { compilerOptions, json } from "../project/node-project";
import { type Library, goModule, javaLibrary, pythonWheel } from "./libraries";
import { goProgram, javaProgram, pythonProgram, typescriptProgram, yamlResources } from "./programs";

/** The languages of a first program. */
export const languageNames = ["typescript", "python", "go", "java", "yaml"] as const;
/** A language of a first program. */
export type LanguageName = (typeof languageNames)[number];

/** The project that a language describes. */
export interface About {
  /** Name of the project. */
  readonly name: string;
  /** Absolute path of the project's folder. */
  readonly folder: string;
  /** The library of the language; undefined if npm or nothing has it. */
  readonly library: Library | undefined;
}

/** A program that must be on PATH, and where to get it. */
type Tool = readonly [program: string, from: string];

/** A command that installs packages: the program, then its parameters. */
type Command = readonly [program: string, ...parameters: string[]];

/** A first program in one language. */
export interface Language {
  readonly title: string;
  /** The value of `runtime` in `Pulumi.yaml`. */
  readonly runtime: string | object;
  readonly tools: readonly Tool[];
  /** The library that a program needs and no registry has: reads the value of `--sdk`. */
  readonly library?: { readonly is: string; read(file: string): Promise<Library> };
  /** Further files, by path. */
  files(about: About): readonly (readonly [path: string, text: string])[];
  /** Further members of `Pulumi.yaml`. */
  readonly members?: object;
  /** Commands after `npm install`. */
  install?(about: About): readonly Command[];
  /** Files and folders that these commands make and no repository needs. */
  readonly ignored?: readonly string[];
}

const onWindows = process.platform === "win32";
const python = onWindows ? "python" : "python3";

/** The first program in each language. */
export const languages: Readonly<Record<LanguageName, Language>> = {
  typescript: {
    title: "TypeScript",
    runtime: "nodejs",
    tools: [],
    files: () => [
      ["index.ts", typescriptProgram],
      ["tsconfig.json", json(compilerOptions)],
    ],
  },
  python: {
    title: "Python",
    runtime: { name: "python", options: { virtualenv: "venv" } },
    tools: [[python, "Python 3.10 or newer from https://www.python.org/downloads"]],
    library: { is: "the wheel", read: pythonWheel },
    files: ({ folder, library }) => [
      ["__main__.py", pythonProgram(library?.name ?? "")],
      ["requirements.txt", `pulumi>=3.216.0,<4\n${relativeTo(folder, library)}\n`],
    ],
    install: ({ folder }) => [
      [python, "-m", "venv", "venv"],
      [
        path.join(folder, "venv", onWindows ? "Scripts" : "bin", "python"),
        ...words("-m pip install --quiet -r requirements.txt"),
      ],
    ],
    ignored: ["venv", "__pycache__"],
  },
  go: {
    title: "Go",
    runtime: "go",
    tools: [["go", "Go from https://go.dev/dl"]],
    library: { is: "the folder of the module", read: goModule },
    files: ({ name, folder, library }) => [
      ["main.go", goProgram(library?.name ?? "")],
      [
        "go.mod",
        `module ${name}\n\n${library?.release ?? ""}\n\nreplace ${library?.name ?? ""} => ${relativeTo(folder, library)}\n`,
      ],
    ],
    install: () => [["go", "mod", "tidy"]],
  },
  java: {
    title: "Java",
    runtime: "java",
    tools: [
      ["javac", "a JDK 11 or newer, such as https://adoptium.net"],
      ["mvn", "Maven from https://maven.apache.org"],
    ],
    library: { is: "the folder of the library", read: javaLibrary },
    files: ({ library }) => [
      ["pom.xml", library?.release ?? ""],
      ["src/main/java/generated_program/App.java", javaProgram(library?.name ?? "")],
    ],
    install: ({ library }) => [
      [
        "mvn",
        ...words("--batch-mode --quiet --no-transfer-progress --file"),
        path.join(library?.file ?? "", "pom.xml"),
        "install",
      ],
      ["mvn", ...words("--batch-mode --quiet --no-transfer-progress compile")],
    ],
    ignored: ["target"],
  },
  yaml: {
    title: "YAML",
    runtime: "yaml",
    tools: [],
    members: yamlResources,
    files: () => [],
  },
};

/** The path of a library from the project's folder, so that both may move together. */
function relativeTo(folder: string, library: Library | undefined): string {
  const way = path.relative(folder, library?.file ?? "").replaceAll(path.sep, "/");
  return path.isAbsolute(way) || way.startsWith(".") ? way : `./${way}`;
}

function words(text: string): string[] {
  return text.split(" ");
}
