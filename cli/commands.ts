import type { Command } from "commander";
import { access } from "./access";
import { emulator } from "./emulator";
import { fromTerraform } from "./from-terraform";

/** The commands, in the order of the help. */
export const commands: readonly Command[] = [emulator, access, fromTerraform];
