import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkout } from "./paths.mjs";

/** schema.json, which names the packages of all languages. */
export const packageSchema = () => JSON.parse(readFileSync(join(checkout, "schema.json"), "utf8"));
