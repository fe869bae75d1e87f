import { readFileSync } from "node:fs";
import path from "node:path";
import { cronJob, program, stack } from "./kubernetes";
import { manifests } from "./pipelines";

const byKind: Partial<Record<string, typeof cronJob | typeof program | typeof stack>> = {
  CronJob: cronJob,
  Program: program,
  Stack: stack,
};
const files = ["stack.yaml", "program.yaml", "drift-cronjob.yaml"];
const checked = files.flatMap((file) =>
  manifests(file).flatMap((manifest) => {
    const known = byKind[String(manifest["kind"])];
    return known === undefined ? [] : [{ title: `${file}: ${String(manifest["kind"])}`, manifest, known }];
  }),
);

test.each(checked)("$title has only the fields of its definition", ({ manifest, known }) => {
  expect(known.safeParse(manifest).error).toBeUndefined();
});

test("a mistake would be found", () => {
  const [manifest] = manifests("stack.yaml").filter(({ kind }) => kind === "Stack");
  const { spec } = stack.parse(manifest);
  expect(stack.safeParse({ ...manifest, spec: { ...spec, destroyOnFinalise: false } }).success).toBe(false);
  expect(stack.safeParse({ ...manifest, spec: { ...spec, programRef: { name: "two-sources" } } }).success).toBe(false);
});

test("removing a Stack removes nobody's access", () => {
  for (const { manifest, known } of checked)
    if (known === stack) expect(manifest["spec"]).toMatchObject({ destroyOnFinalize: false });
});

test("every pod logs in with a token that the kubelet renews, for a given audience", () => {
  const pods = checked.flatMap(({ manifest, known }) => {
    if (known === stack) {
      const { workspaceTemplate } = stack.parse(manifest).spec;
      return [{ env: workspaceTemplate.spec.env, template: workspaceTemplate.spec.podTemplate }];
    }
    if (known !== cronJob) return [];
    const { template } = cronJob.parse(manifest).spec.jobTemplate.spec;
    return [{ env: template.spec.containers[0]?.env ?? [], template }];
  });
  expect(pods).toHaveLength(3);
  for (const { env, template } of pods) {
    const [container] = template.spec.containers;
    const mount = container?.volumeMounts.find(({ name }) => name === "platform");
    const volume = template.spec.volumes.find(({ name }) => name === "platform");
    const source = volume?.projected?.sources[0]?.serviceAccountToken;
    expect(source).toMatchObject({ audience: "auth.platform.example" });
    expect(env).toContainEqual({ name: "PLATFORM_OIDC_TOKEN_FILE", value: `${mount?.mountPath ?? ""}/${source?.path ?? ""}` });
  }
});

test("the operator refreshes with the configuration of today, and a Stack without a repository says where the platform is", () => {
  for (const { manifest, known } of checked) {
    if (known !== stack) continue;
    const { refresh, workspaceTemplate, programRef, config } = stack.parse(manifest).spec;
    expect(refresh).toBe(true);
    expect(workspaceTemplate.spec.env).toContainEqual({ name: "PULUMI_RUN_PROGRAM", value: "true" });
    if (programRef !== undefined)
      expect(Object.keys(config ?? {})).toEqual(expect.arrayContaining(["platform:baseUrl", "platform:identity"]));
  }
});

test("a drift that a CronJob found is not looked for again", () => {
  const [manifest] = manifests("drift-cronjob.yaml").filter(({ kind }) => kind === "CronJob");
  const { spec } = cronJob.parse(manifest).spec.jobTemplate;
  expect(spec.podFailurePolicy.rules).toEqual([{ action: "FailJob", onExitCodes: { operator: "In", values: [7] } }]);
  // The API server takes a policy with this restart policy only.
  expect(spec.template.spec.restartPolicy).toBe("Never");
});

test("the resources of the Program exist, with these properties", () => {
  const [manifest] = manifests("program.yaml").filter(({ kind }) => kind === "Program");
  const text = readFileSync(path.resolve(__dirname, "../../schema.json"), "utf8");
  const { resources: known } = JSON.parse(text) as { resources: Record<string, { inputProperties: object }> };
  for (const { type, properties } of Object.values(program.parse(manifest).program.resources)) {
    expect(Object.keys(known)).toContain(type);
    expect(Object.keys(known[type]?.inputProperties ?? {})).toEqual(expect.arrayContaining(Object.keys(properties)));
  }
});
