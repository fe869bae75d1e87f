/** `npm run sdk [-- LANGUAGE... [FOLDER]]`: builds the SDKs of other languages from schema.json. A FOLDER for one language must be new, empty or of an earlier build. */
import { resolve } from "node:path";
import { alone, languages, requireKnown } from "./languages/index.mjs";
import { missing, sdkFolder } from "./languages/tools.mjs";
import { Work } from "./languages/work.mjs";
import { main } from "./lib/main.mjs";
import { Failure, say } from "./lib/message.mjs";

const MINUTES = 20;
const known = Object.keys(languages).filter((name) => languages[name].build);

main(async () => {
  const given = process.argv.slice(2);
  const folder = known.includes(given[0]) && given.length === 2 && !Object.hasOwn(languages, given[1]) ? given.pop() : undefined;
  requireKnown(given, known);
  const failures = [];
  for (const name of given.length > 0 ? given : known) {
    const reasons = await missing(languages[name].needs);
    const target = folder === undefined ? sdkFolder(name) : resolve(process.env.INIT_CWD ?? "", folder);
    if (reasons.length > 0) failures.push(`${name}: not built. ${reasons.join(". ")}.`);
    else say(`${name}: ${target}\n  ${await alone(name, () => languages[name].build(new Work(name, MINUTES), target))}`);
  }
  if (failures.length > 0) throw new Failure(failures.join("\n"));
});
