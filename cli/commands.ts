import type { Command } from "commander";
import { access } from "./access/command";
import { drift } from "./drift/command";
import { emulator } from "./emulator";
import { exportCommand } from "./export/command";
import { fromTerraform } from "./from-terraform";

/** The commands, in the order of the help. */
export const commands: readonly Command[] = [emulator, access, drift, exportCommand, fromTerraform];
