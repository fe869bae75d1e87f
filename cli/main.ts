#!/usr/bin/env node
import { readFileSync } from "node:fs";
import path from "node:path";
import { nearestName } from "../provider/client/nearest-name";
import { access } from "./access";
import { columns, helpOf, readOptions, synopsis, UsageError, type Command, type OptionTypes } from "./command";
import { emulator } from "./emulator";

const commands: Readonly<Record<string, Command>> = { emulator, access };

const help: OptionTypes = { help: { type: "boolean", short: "h" } };

async function main(args: string[]): Promise<void> {
  const [name = "help", ...rest] = args;
  if (name === "help") print(overview());
  else if (name.startsWith("-"))
    print(readOptions(args, { ...help, version: { type: "boolean" } })["version"] ? version() : overview());
  else await runCommand(name, rest);
}

async function runCommand(name: string, args: string[]): Promise<void> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    const near = nearestName(name, Object.keys(commands)).name;
    throw new UsageError(`There is no command ${JSON.stringify(name)}; did you mean ${near}?`);
  }
  const own: OptionTypes = Object.fromEntries(Object.keys(command.options).map((option) => [option, { type: "string" }]));
  const { help: isHelp, ...options } = readOptions(args, { ...own, ...help });
  if (isHelp) print(helpOf(name, command));
  else await command.run(options as Record<string, string>);
}

function overview(): string {
  const rows = Object.entries(commands).map(([name, command]) => [synopsis(name, command), command.summary] as const);
  return `Usage: pulumi-platform <command> [options]

${columns(rows)}

pulumi-platform <command> --help tells the options of a command, pulumi-platform --version the version.
`;
}

/** Of the package, whose manifest lies above dist/. */
function version(): string {
  const manifest = JSON.parse(readFileSync(path.resolve(__dirname, "../../package.json"), "utf8")) as { version: string };
  return `${manifest.version}\n`;
}

function print(text: string): void {
  process.stdout.write(text);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  const isUsage = error instanceof UsageError;
  process.stderr.write(isUsage ? `${message}\nRun pulumi-platform --help for the commands and their options.\n` : `${message}\n`);
  process.exitCode = isUsage ? 2 : 1;
});
