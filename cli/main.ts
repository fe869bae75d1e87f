#!/usr/bin/env node
import { literal } from "../provider/client/printable";
import { suggest } from "../provider/client/nearest-name";
import { version } from "../provider/client/version";
import { access } from "./access";
import { columns, helpOf, readOptions, synopsis, UsageError, type Command, type OptionTypes } from "./command";
import { emulator } from "./emulator";
import { fromTerraform } from "./from-terraform";

const commands: Readonly<Record<string, Command>> = { emulator, access, "from-terraform": fromTerraform };

const help: OptionTypes = { help: { type: "boolean", short: "h" } };

async function main(args: string[]): Promise<void> {
  const [name = "help", ...rest] = args;
  if (name === "help") print(overview());
  else if (name.startsWith("-"))
    print(readOptions(args, { ...help, version: { type: "boolean" } })["version"] ? `${version}\n` : overview());
  else await runCommand(name, rest);
}

async function runCommand(name: string, args: string[]): Promise<void> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    const hint = suggest(name, Object.keys(commands), "commands", (known) => known);
    throw new UsageError(`There is no command ${literal(name)}; ${hint}`);
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

Run pulumi-platform <command> --help for the options of a command, pulumi-platform --version for the version.
`;
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
