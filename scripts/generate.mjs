/** `npm run generate`: the tables of docs/, and the JSON Schemas, from the declarations and their doc comments. */
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { main } from "./lib/main.mjs";
import { say } from "./lib/message.mjs";
import { checkout } from "./lib/paths.mjs";
import { bringUp } from "./toolchain/bring-up.mjs";

main(async () => {
  await bringUp({ engine: false });
  const require = createRequire(import.meta.url);
  const { generatedFiles } = require("./generate/files.js");
  const { readComments } = require("./generate/comments.js");
  const { readFunctions } = require("./generate/functions.js");
  const built = (file) => require(join(checkout, "dist/provider", file));
  const { sourceOfOne: one } = built("sources/source-of-one.js");
  const { sourceOfAll: all } = built("sources/source-of-all.js");
  const documents = built("../cli/documents/index.js").documentSchemas();
  const declared = {
    ...built("kinds/kinds.js"),
    ...built("schema/answers.js"),
    ...built("credentials/settings.js"),
    one,
    all,
    documents,
  };
  for (const [file, text] of generatedFiles(declared, readComments(), readFunctions())) {
    const isNew = current(file) !== text;
    if (isNew) writeFileSync(join(checkout, file), text);
    say(`${isNew ? "written" : "unchanged"}: ${file}`);
  }
});

function current(file) {
  try {
    return readFileSync(join(checkout, file), "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return undefined;
    throw error;
  }
}
