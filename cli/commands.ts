import type { Command } from "commander";
import { access } from "./access";
import { emulator } from "./emulator";
import { exportCommand } from "./export/command";
import { fromTerraform } from "./from-terraform";

/** The commands, in the order of the help. */
export const commands: readonly Command[] = [emulator, access, exportCommand, fromTerraform];
