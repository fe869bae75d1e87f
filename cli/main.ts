#!/usr/bin/env node
import { PlatformError } from "../provider/client/errors";
import { access } from "./access";
import { emulator } from "./emulator";

const commands = { access, emulator };

const usage = `Usage: pulumi-platform <command>

  emulator [--port 4010] [--data FILE]   the platform on this machine, until Ctrl-C; port 0 takes a free one
  access [--organization UID]            the organisation as a tree, with who has which role where
`;

async function main([command, ...args]: string[]): Promise<void> {
  if (command === undefined || command === "help" || command === "--help" || command === "-h") {
    process.stdout.write(usage);
    return;
  }
  if (!Object.hasOwn(commands, command))
    throw new PlatformError("INVALID_INPUT", `There is no command ${JSON.stringify(command)}.\n\n${usage}`);
  await commands[command as keyof typeof commands](args);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
