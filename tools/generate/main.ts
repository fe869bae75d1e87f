/** `npm run generate`: the tables of docs/, and the JSON Schemas, from the declarations and their doc comments. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { readComments } from "./comments";
import { generatedFiles } from "./files";
import { readFunctions } from "./functions";

for (const [file, text] of generatedFiles(readComments(), readFunctions())) {
  const isNew = !existsSync(file) || readFileSync(file, "utf8") !== text;
  if (isNew) writeFileSync(file, text);
  console.log(`${isNew ? "written" : "unchanged"}: ${file}`);
}
