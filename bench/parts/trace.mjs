import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EmulatorProcess } from "../emulator-process.mjs";
import { figure, table } from "../report/figures.mjs";
import { Project } from "../systems/project.mjs";

/** The spans of a first `up` of three resources through the native plugin, from the start of the plugin on. */
export const trace = {
  title: "A trace",

  async run() {
    const platform = await EmulatorProcess.start();
    const project = await Project.create("native", { platform, count: 3 });
    try {
      const file = join(project.folder, "traces.json");
      await project.pulumi("Recording a trace", "up", "--yes", "--skip-preview", "--otel-traces", `file://${file}`);
      return spansIn(readFileSync(file, "utf8"));
    } finally {
      await project.close();
      await platform.stop();
    }
  },

  report({ beforeMs, samples }) {
    return [
      `Engine and program took ${figure(Math.round(beforeMs))} ms before the plugin started.`,
      table(
        ["span", "begins at (ms)", "takes (ms)"],
        samples.map(({ name, from, takes }) => [name, figure(Math.round(from)), figure(Math.round(takes))]),
      ),
    ].join("\n\n");
  },

  targets: () => [],
};

/** @param text lines of OTLP in JSON (https://opentelemetry.io/docs/specs/otel/protocol/file-exporter/) */
function spansIn(text) {
  const resources = text
    .trim()
    .split("\n")
    .flatMap((line) => JSON.parse(line).resourceSpans ?? []);
  const spans = resources.flatMap(({ resource, scopeSpans }) => {
    const service = resource.attributes.find(({ key }) => key === "service.name")?.value.stringValue;
    return scopeSpans.flatMap((scope) => scope.spans.map((span) => ({ ...span, service })));
  });
  const milliseconds = (nanoseconds) => Number(BigInt(nanoseconds) / 1_000n) / 1_000;
  const isOfPlatform = ({ service }) => service === "pulumi-platform";
  const isCall = ({ name }) => /ResourceProvider\/(Check|Create)$/.test(name);
  const starts = spans.filter(({ name }) => name === "newPlugin");
  // The engine starts the host of the language before.
  const plugin = starts
    .toSorted((one, other) => milliseconds(one.startTimeUnixNano) - milliseconds(other.startTimeUnixNano))
    .at(-1);
  const beganAt = milliseconds(plugin.startTimeUnixNano);
  const first = Math.min(...spans.map((span) => milliseconds(span.startTimeUnixNano)));
  const samples = spans
    .filter((span) => span === plugin || isOfPlatform(span) || (span.service === "pulumi-cli" && isCall(span)))
    .map((span) => ({
      name: span === plugin ? "start of the plugin" : span.name.replace(/^pulumirpc\./, ""),
      by: isOfPlatform(span) ? "request" : "engine",
      from: milliseconds(span.startTimeUnixNano) - beganAt,
      takes: milliseconds(span.endTimeUnixNano) - milliseconds(span.startTimeUnixNano),
    }))
    .sort((one, other) => one.from - other.from);
  return { beforeMs: beganAt - first, samples };
}
