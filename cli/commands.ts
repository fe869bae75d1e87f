import type { Command } from "commander";
import { access } from "./access";
import { emulator } from "./emulator";
import { fromTerraform } from "./from-terraform";
import { review } from "./review/command";

/** The commands, in the order of the help. */
export const commands: readonly Command[] = [emulator, access, review, fromTerraform];
