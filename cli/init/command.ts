import { Argument, Option } from "commander";
import { printable } from "../../provider/client/printable";
import { command } from "../shell/command";
import { interruptible } from "../shell/interrupted";
import { withProgress } from "../shell/progress";
import { init, type Made, stack } from "./init";
import { type LanguageName, languageNames } from "./languages";
import { emulatorCommand } from "./readme";

interface Options {
  readonly language: LanguageName;
  readonly sdk?: string;
}

/** Makes a first program. */
export const initCommand = command("init", {
  summary: "a first program, ready for `pulumi up`",
  description:
    "Writes a first program into an empty or new folder, with its packages, a stack, and state and passphrase in that folder. Without\n" +
    "PLATFORM_BASE_URL the program is for the emulator. PULUMI_BACKEND_URL and PULUMI_CONFIG_PASSPHRASE are used if they are set.\n" +
    "After an error or Ctrl-C, nothing is left in the folder. Guide: docs/commands/init.md.",
  examples: [
    ["init my-org", "in TypeScript, in the folder my-org"],
    ["init my-org --language yaml", "in YAML"],
    ["init my-org --language python --sdk pulumi_platform-0.1.0-py3-none-any.whl", "in Python, with the wheel of a release"],
  ],
})
  .addArgument(new Argument("[dir]", "folder for the program: empty, or new").default(".", "this folder"))
  .addOption(new Option("--language <LANGUAGE>", "the language").choices(languageNames).default("typescript"))
  .option("--sdk <PATH>", "the library for Python (a wheel), Go or Java (a folder), which no registry has")
  .action(async (folder: string, { language, sdk }: Options) => {
    const made = await interruptible((signal) =>
      withProgress((progress) => init({ folder, language, ...(sdk !== undefined && { sdk }) }, progress, signal)),
    );
    process.stdout.write(printable(next(folder, made)));
  });

/** The project for people, with the commands to run next. */
function next(folder: string, { language: { title }, around, hasSettings }: Made): string {
  const enter = [
    ...(folder === "." ? [] : [`cd ${/^[\w./][\w./-]*$/.test(folder) ? folder : quotedForShell(folder)}`]),
    ...(hasSettings ? [". ./env.sh"] : []),
  ].join(" && ");
  const rows = [
    ...(enter === "" ? [] : [enter]),
    ...(around.platform === undefined ? [`${emulatorCommand}   # in a second terminal, in that folder`] : []),
    "pulumi up",
  ];
  return `Wrote ${folder}: a program in ${title}, its packages, and stack ${stack}.\nNext:\n${rows.map((row) => `  ${row}\n`).join("")}`;
}

/** `text` as one word of a shell, in which nothing is expanded. */
function quotedForShell(text: string): string {
  return `${text.startsWith("-") ? "./" : ""}'${text.replaceAll("'", String.raw`'\''`)}'`;
}
