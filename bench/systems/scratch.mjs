import { join } from "node:path";
import { stateFolder } from "../../scripts/lib/paths.mjs";

/** Inside the checkout, so that programs resolve the package by its name, as the examples do. */
export const scratch = join(stateFolder, "bench");
