import { figure, median, table, target } from "../report/figures.mjs";
import { live, systems } from "../systems/life.mjs";
import { Terraform } from "../systems/terraform.mjs";

/** Of the platform's own Terraform provider, measured elsewhere. */
const peerBytes = 840;

const limits = { Group: 450, Identity: 750, RoleBinding: 850 };

/** What is kept of each resource. The engine writes all of it after every step, so that each byte is paid N times. */
export const state = {
  title: "State",

  async run({ quick, save }) {
    const count = quick ? 100 : 1_000;
    const note = await Terraform.missing();
    const data = { count, sizes: [], ...(note && { note }) };
    for (const system of ["product", "nothing", "tutorial", ...(note ? [] : ["terraform"])]) {
      await live(system, { count, checkpoints: () => false, operations: ["up"] }, (subject) => {
        data.sizes.push({ system, fileBytes: Buffer.byteLength(subject.state()), kinds: bytesByKind(subject.state()) });
      });
      await save(data);
    }
    return data;
  },

  report({ count, sizes }) {
    const kinds = Object.keys(limits);
    const rows = sizes.map(({ system, fileBytes, kinds: bytes }) => [
      systems[system].is,
      ...kinds.map((kind) => (bytes[kind] ? `${figure(median(bytes[kind].all))} (${Math.max(...bytes[kind].all)})` : "–")),
      bytes.Group ? String(bytes.Group.providerText) : "–",
      figure(fileBytes / count),
    ]);
    return [
      "Bytes. Per kind: inputs and outputs together, as JSON, the median and the largest; then the text of `__provider`, of which each " +
        "resource holds two; then the whole file by the number of resources.",
      table(
        ["", ...kinds, "`__provider`", "whole file / N"],
        [...rows, ["Terraform peer, quoted", "–", "–", "–", "–", String(peerBytes)]],
      ),
    ].join("\n\n");
  },

  targets({ count, sizes = [] }) {
    const bytesOf = (kind) => sizes.filter(({ system }) => system === "product").map(({ kinds }) => median(kinds[kind].all));
    const fileOf = (wanted) => sizes.filter(({ system }) => system === wanted).map(({ fileBytes }) => fileBytes / count / 1_000);
    return [
      ...Object.entries(limits).map(([kind, limit]) =>
        target(`bytes of state of a ${kind}`, `at most ${limit}`, bytesOf(kind), (bytes) => bytes <= limit),
      ),
      target("KB of the whole state file per resource", "at most 1.4", fileOf("product"), (size) => size <= 1.4),
      target("the same of (c), for comparison", "1.7", fileOf("nothing"), () => undefined),
      // The shape of the organisation is in every figure: groups lie two levels deep here, and have descriptions.
      target(
        "whole state file: ours over (c)",
        "at most 0.82 (1.4 over 1.7)",
        fileOf("nothing").flatMap((nothing) => fileOf("product").map((ours) => ours / nothing)),
        (ratio) => ratio <= 1.4 / 1.7,
      ),
    ];
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
  return kinds;
}
