import { parts } from "../parts.mjs";
import { table } from "./figures.mjs";
import { draw } from "./plots.mjs";
import { folderOf, loadResults, write } from "./results.mjs";

const verdicts = new Map([
  [true, "yes"],
  [false, "**no**"],
  [undefined, ""],
]);

/** Writes RESULTS.md from the newest measurements of each part. @returns {Promise<string | undefined>} the folder; undefined if there are none */
export async function render(quick) {
  const folder = folderOf(quick);
  const results = loadResults(quick);
  const present = Object.entries(parts).filter(([name]) => results[name] !== undefined);
  if (present.length === 0) return undefined;
  const missing = Object.keys(parts).filter((name) => results[name] === undefined);
  const sections = present.map(([name, part]) => {
    const { data } = results[name];
    return [`## ${part.title}`, circumstancesOf(results[name]), part.report(data), data.note ?? ""].join("\n\n");
  });
  const targets = present.flatMap(([name, part]) => part.targets(results[name].data));
  const text = [head(quick), missingIn(missing), targetTable(targets), ...sections].join("\n\n");
  await write(folder, "RESULTS.md", text, "markdown");
  if (!quick) await draw(results);
  return folder;
}

/** The place and time of a measurement. */
function circumstancesOf({ at, minutes, commit, isModified, engine, sdk, node, machine }) {
  const [day, time] = at.slice(0, 16).split("T");
  return (
    `${day} ${time} UTC, ${Math.round(minutes)} min, commit ${commit}${isModified ? " with changes" : ""}, Pulumi ${engine}, SDK ${sdk}, ` +
    `Node.js ${node}, ${machine}.`
  );
}

function head(quick) {
  return `# Benchmarks

${quick ? "**The quick form: it only shows that the parts work; its figures mean nothing.**\n\n" : ""}Written by \`npm run bench\`. Each part says when and at which commit it was measured; compare figures within a part, not between parts. Engine, program and
emulator share the machine; engines run with \`--parallel 8\`, Terraform
with its default of 10. A figure followed by others in parentheses is their median; ratios are taken within a round, in which the
systems take turns. Requests are those of the provider, without data sources and token exchanges.

Compared are an idle provider, which does no I/O and answers what ours would, so that the rest is the engine's; the tutorial's style,
closures in \`pulumi.dynamic.Resource\` and fetch; and Terraform with the generic REST provider (Mastercard/restapi 1.20.0).`;
}

function missingIn(parts) {
  return parts.length === 0 ? "" : `Not measured: ${parts.map((part) => `\`${part}\``).join(", ")}.`;
}

function targetTable(targets) {
  const rows = targets.map(({ what, asked, measured, isMet, because }) => [
    what,
    asked,
    measured,
    isMet === false && because !== undefined ? `no: ${because}` : verdicts.get(isMet),
  ]);
  return rows.length === 0 ? "" : ["## Targets", table(["what", "target", "measured", "met"], rows)].join("\n\n");
}
