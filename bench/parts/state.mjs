import { figure, median, table, target } from "../report/figures.mjs";
import { live, systems } from "../systems/life.mjs";
import { Terraform } from "../systems/terraform.mjs";

/** Of the platform's own Terraform provider, measured elsewhere. */
const peerBytes = 840;

/** Where each shape of the organisation places its objects. */
const shapes = { flat: "right in the organisation", teams: "one or two groups deeper" };

const limits = { Group: 450, Identity: 750, RoleBinding: 850 };

/** Bytes of state per resource. The engine writes the whole state after every step, so each byte is written N times. */
export const state = {
  title: "State",

  async run({ quick, save }) {
    const count = quick ? 100 : 1_000;
    const note = await Terraform.missing();
    const data = { count, sizes: [], ...(note && { note }) };
    for (const shape of ["flat", "teams"]) {
      for (const system of ["product", "nothing", ...(shape === "flat" ? [] : ["tutorial", ...(note ? [] : ["terraform"])])]) {
        await live(system, { count, shape, saves: () => "at the end", operations: ["up"] }, (subject) => {
          const text = subject.state();
          data.sizes.push({ shape, system, fileBytes: Buffer.byteLength(text), kinds: bytesByKind(text) });
        });
        await save(data);
      }
    }
    return data;
  },

  report({ count, sizes }) {
    const kinds = Object.keys(limits);
    const rows = sizes.map(({ shape, system, fileBytes, kinds: bytes }) => [
      systems[system].is,
      shapes[shape],
      ...kinds.map((kind) => (bytes[kind] ? `${figure(bytes[kind].median)} (${bytes[kind].largest})` : "–")),
      bytes.Group ? String(bytes.Group.providerText) : "–",
      figure(fileBytes / count),
    ]);
    return [
      "Bytes. Per kind: inputs and outputs together, as JSON, the median and the largest; then the text of `__provider`, of which each " +
        "resource holds two; then the whole file by the number of resources. Each level of groups makes a uid 17 bytes longer, and what " +
        "depends on a declared group names it twice in the file.",
      table(
        ["", "objects lie", ...kinds, "`__provider`", "whole file / N"],
        [...rows, ["Terraform peer, quoted", "", "–", "–", "–", "–", String(peerBytes)]],
      ),
    ].join("\n\n");
  },

  targets({ count, sizes = [] }) {
    const of = (system, shape) => sizes.filter((size) => size.system === system && size.shape === shape);
    const fileOf = (system, shape) => of(system, shape).map(({ fileBytes }) => fileBytes / count / 1_000);
    return Object.entries(shapes).flatMap(([shape, lie]) => [
      ...Object.entries(limits).map(([kind, limit]) =>
        target(
          `bytes of state of a ${kind} ${lie}`,
          `at most ${limit}`,
          of("product", shape).map(({ kinds }) => kinds[kind].median),
          (bytes) => bytes <= limit,
        ),
      ),
      target(`KB of the whole state file per resource, ${lie}`, "at most 1.4", fileOf("product", shape), (size) => size <= 1.4),
      target(`the same of (c), ${lie}, for comparison`, "1.7", fileOf("nothing", shape), () => undefined),
    ]);
  },
};

/** Of an engine's state; nothing of Terraform's. */
function bytesByKind(text) {
  const kinds = {};
  for (const { type, inputs, outputs } of JSON.parse(text).checkpoint?.latest?.resources ?? []) {
    const kind = type.split(":").pop();
    if (!(kind in limits)) continue;
    kinds[kind] ??= { all: [], providerText: Buffer.byteLength(inputs.__provider) };
    kinds[kind].all.push(Buffer.byteLength(JSON.stringify(inputs) + JSON.stringify(outputs)));
  }
  return Object.fromEntries(
    Object.entries(kinds).map(([kind, { all, providerText }]) => [
      kind,
      { median: median(all), largest: Math.max(...all), providerText },
    ]),
  );
}
