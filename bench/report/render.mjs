import { parts } from "../parts.mjs";
import { table } from "./figures.mjs";
import { folderOf, loadResults, write } from "./results.mjs";

const verdicts = new Map([
  [true, "yes"],
  [false, "**no**"],
  [undefined, ""],
]);

/** Writes RESULTS.md and the plots from what the parts have saved. @returns {Promise<string>} the folder */
export async function render(quick) {
  const folder = folderOf(quick);
  const results = loadResults(quick);
  const present = Object.entries(parts).filter(([name]) => results[name] !== undefined);
  const sections = [];
  for (const [name, part] of present) {
    const { data } = results[name];
    const plots = part.plots?.(data) ?? {};
    for (const [file, svg] of Object.entries(plots)) await write(folder, file, svg);
    const pictures = Object.keys(plots).map((file) => `![${file.replace(".svg", "").replaceAll("-", " ")}](${file})`);
    sections.push([`## ${part.title}`, part.report(data, results), ...pictures, data.note ?? ""].join("\n\n"));
  }
  const targets = Object.entries(parts).flatMap(([name, part]) => part.targets(results[name]?.data ?? {}, results));
  await write(
    folder,
    "RESULTS.md",
    [head(quick), targetTable(targets), ...sections, provenance(results)].join("\n\n"),
    "markdown",
  );
  return folder;
}

function head(quick) {
  return `# Benchmarks

${quick ? "**The quick form: it only shows that the parts work; its figures mean nothing.**\n\n" : ""}Written by \`npm run bench\`; \`npm run bench -- <part>\` repeats one part, \`npm run bench -- render\` writes this page again from
bench/results/. A figure that is
followed by others in parentheses is their median; the others are the single runs in order. Ratios are taken within a
round, in which the systems took turns. The baselines: (a) the same three resources the way tutorials write them, closures in
\`pulumi.dynamic.Resource\` and fetch; (b) nothing but undici, 8 requests at once; (c) the engine with a provider that does nothing, stack
traces left in; (d) Terraform with the generic REST provider (Mastercard/restapi 1.20.0), which reads each object twice and compares
nothing. All work on this project's emulator on the same machine; engines with \`--parallel 8\`, Terraform with its default of 10.`;
}

function targetTable(targets) {
  const rows = targets.map(({ what, asked, measured, isMet }) => [what, asked, measured, verdicts.get(isMet)]);
  return ["## Targets", table(["what", "target", "measured", "met"], rows)].join("\n\n");
}

function provenance(results) {
  const rows = Object.entries(results).map(([name, { at, minutes, commit, isModified, engine, sdk, node, machine }]) => [
    `\`npm run bench -- ${name}\``,
    at.slice(0, 16).replace("T", " "),
    String(minutes),
    commit + (isModified ? ", modified" : ""),
    `${engine}, SDK ${sdk}`,
    node,
    machine,
  ]);
  return ["## Where and when", table(["command", "UTC", "minutes", "commit", "engine", "Node", "machine"], rows)].join("\n\n");
}
