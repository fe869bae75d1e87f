import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../../scripts/lib/child.mjs";
import { Failure } from "../../scripts/lib/message.mjs";
import { checkout } from "../../scripts/lib/paths.mjs";
import { systems } from "../systems/life.mjs";
import { median, secondsOf } from "./figures.mjs";

/** Draws pictures without a browser. npm fetches it for this one command, because nothing else needs it. */
const VEGA = ["--package=vega-lite@6.5.0", "--package=vega@6.4.0"];

const folder = join(checkout, "docs", "images");

/** Readable on white and on black. */
const [ink, blue, orange, green, violet] = ["#808080", "#3b87c8", "#d9822b", "#2f9e6e", "#a266c7"];
const config = {
  font: "sans-serif",
  background: null,
  view: { stroke: null },
  axis: {
    labelColor: ink,
    titleColor: ink,
    gridColor: ink,
    gridOpacity: 0.25,
    domainColor: ink,
    tickColor: ink,
    labelFontSize: 12,
    labelLimit: 250,
  },
  legend: { labelColor: ink, titleColor: ink, labelFontSize: 12 },
  text: { color: ink, fontSize: 12 },
};

const operations = { up: "first up", preview: "preview", destroy: "destroy", refresh: "refresh" };

/** The pictures of docs/ by name, with the parts of the bench whose figures they show. */
const plots = {
  "time-over-size": {
    part: "size",
    of: ({ samples }) => ({
      data: {
        values: samples
          .filter(({ operation }) => operation in operations)
          .map(({ count, operation, seconds }) => ({ count, seconds, operation: operations[operation] })),
      },
      mark: { type: "line", point: true },
      width: 420,
      height: 260,
      encoding: {
        x: {
          field: "count",
          type: "quantitative",
          title: "resources",
          scale: { type: "log" },
          axis: { values: [100, 1_000, 10_000] },
        },
        y: { field: "seconds", type: "quantitative", scale: { type: "log" }, axis: { values: [1, 3, 10, 30, 100] } },
        color: {
          field: "operation",
          title: null,
          scale: { domain: Object.values(operations), range: [blue, orange, violet, green] },
        },
      },
    }),
  },
  "time-by-state": {
    part: "state",
    of: ({ samples }) => {
      const values = [...new Set(samples.map(({ system }) => system))].map((system) => ({
        state: system === "product" ? "file" : systems[system].is,
        seconds: Math.round(10 * median(secondsOf(samples, system, "up"))) / 10,
      }));
      const encoding = {
        y: { field: "state", type: "nominal", sort: "x", title: null },
        x: { field: "seconds", type: "quantitative", title: "seconds of a first up of 1,000 resources" },
      };
      return {
        data: { values },
        width: 420,
        height: { step: 30 },
        encoding,
        layer: [
          { mark: { type: "bar", color: blue } },
          { mark: { type: "text", align: "left", dx: 5 }, encoding: { text: { field: "seconds" } } },
        ],
      };
    },
  },
  trace: {
    part: "trace",
    of: ({ samples }) => ({
      data: { values: samples.map(({ name, by, from, takes }, row) => ({ row, name, by, from, to: from + takes })) },
      width: 420,
      height: { step: 22 },
      encoding: { y: { field: "row", type: "ordinal", axis: null } },
      layer: [
        {
          mark: { type: "bar" },
          encoding: {
            x: { field: "from", type: "quantitative", title: "milliseconds since the plugin was started" },
            x2: { field: "to" },
            color: {
              field: "by",
              title: null,
              legend: { orient: "bottom" },
              scale: { domain: ["engine", "request"], range: [blue, orange] },
            },
          },
        },
        {
          mark: { type: "text", align: "left", dx: 6 },
          encoding: { x: { field: "to", type: "quantitative" }, text: { field: "name" } },
        },
      ],
    }),
  },
};

/** Draws the pictures whose figures are in `results` of loadResults. */
export async function draw(results) {
  const scratch = mkdtempSync(join(tmpdir(), "plots-"));
  try {
    mkdirSync(folder, { recursive: true });
    for (const [name, { part, of }] of Object.entries(plots)) {
      if (results[part] === undefined) continue;
      const specification = join(scratch, `${name}.json`);
      const $schema = "https://vega.github.io/schema/vega-lite/v6.json";
      writeFileSync(specification, JSON.stringify({ $schema, config, ...of(results[part].data) }));
      const args = ["exec", "--yes", ...VEGA, "--", "vl2svg", specification, join(folder, `${name}.svg`)];
      const { code, output } = await run("npm", args, { cwd: scratch, capture: true });
      if (code !== 0) throw new Failure(`Drawing docs/images/${name}.svg failed:\n${output}`);
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
