import { OtlpCollector, type ReceivedSpan } from "../../support/otlp-collector";
import { succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";

useProject("", { door: "native" });

let collector: OtlpCollector;
beforeEach(() => {
  collector = new OtlpCollector();
});
afterEach(() => collector.close());

/** The names of a span's ancestors, nearest first. */
function above({ parentId }: ReceivedSpan): string[] {
  const parent = collector.spans.find(({ spanId }) => spanId === parentId);
  return parent === undefined ? [] : [parent.name, ...above(parent)];
}

test("with --otel-traces, requests are spans below the engine's calls of the provider, from the first to the last of a run", async () => {
  await project.program('new Group("team", { parentUid: root, description: "secret-description" });');
  const traces = `--otel-traces=${await collector.http()}`;
  await succeed(project.up(traces));
  const { uid } = await platform.named("groups", "team");
  await succeed(project.destroy(traces));

  const ours = collector.spans.filter(({ service }) => service === "pulumi-platform");
  const below = (name: string) => ours.filter((span) => span.name === name).map((span) => above(span));
  const create = below("POST /iam/v2beta1/groups/{uid}");
  expect(create).toEqual([expect.arrayContaining(["pulumirpc.ResourceProvider/Create", "pulumi"])]);
  expect(create[0]?.[0]).toBe("pulumirpc.ResourceProvider/Create");
  expect(below("DELETE /iam/v2beta1/groups/{uid}")[0]?.[0]).toBe("pulumirpc.ResourceProvider/Delete");
  // Each request of the emulator's log that is not for a token.
  const sent = (await platform.requests()).filter(({ path }) => /^\/(iam|registry|events|vulnerabilities)\/v\w+\/\w/.test(path));
  expect(ours.map(({ attributes }) => attributes["platform.attempts"])).toEqual(sent.map(() => 1));
  const text = JSON.stringify(ours.map(({ name, attributes, error }) => [name, attributes, error]));
  for (const hidden of [uid, platform.root, "secret-description", "team"]) expect(text).not.toContain(hidden);
});

test("in a program that is in the trace, data sources are spans of that trace", async () => {
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  // Newer language hosts set it for programs.
  project.environment["TRACEPARENT"] = `00-${traceId}-b7ad6b7169203331-01`;
  await project.program('exports.role = platform.getRoleOutput({ name: "viewer" }).uid;');
  await succeed(project.up(`--otel-traces=${await collector.http()}`));
  expect(collector.spans.filter(({ name }) => name.startsWith("GET "))).toMatchObject([
    { traceId, name: "GET /iam/v2beta1/roles", attributes: { "platform.attempts": 1, "http.response.status_code": 200 } },
  ]);
});
