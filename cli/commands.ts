import type { Command } from "commander";
import { access } from "./access/command";
import { completion } from "./completion";
import { doctor } from "./doctor/command";
import { drift } from "./drift/command";
import { emulator } from "./emulator";
import { exportCommand } from "./export/command";
import { forget } from "./forget/command";
import { fromTerraform } from "./from-terraform/command";
import { initCommand } from "./init/command";
import { rehearse } from "./rehearse/command";
import { report } from "./report/command";
import { review } from "./review/command";
import { up } from "./up/command";
import { whoami } from "./whoami/command";
import { watch } from "./watch/command";

/** The commands, in the order of the help. */
export const commands: readonly Command[] = [
  initCommand,
  emulator,
  access,
  review,
  rehearse,
  up,
  drift,
  report,
  watch,
  whoami,
  doctor,
  exportCommand,
  forget,
  fromTerraform,
  completion,
];
