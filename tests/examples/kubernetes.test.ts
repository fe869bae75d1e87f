import { claim, cronJob, job, program, stack } from "./kubernetes";
import { manifests, pinned } from "./pipelines";

const definitions: Record<string, typeof claim | typeof cronJob | typeof job | typeof program | typeof stack> = {
  PersistentVolumeClaim: claim,
  CronJob: cronJob,
  Job: job,
  Program: program,
  Stack: stack,
};
const checked = ["stack.yaml", "program.yaml", "drift-cronjob.yaml", "bound-update.yaml"]
  .flatMap((file) => manifests(file).map((manifest) => ({ file, kind: String(manifest["kind"]), manifest })))
  .filter(({ kind }) => kind in definitions);
const ofKind = (wanted: string) => checked.flatMap(({ kind, manifest }) => (kind === wanted ? [manifest] : []));
const stacks = ofKind("Stack").map((manifest) => stack.parse(manifest).spec);
const jobs = ofKind("CronJob").map((manifest) => cronJob.parse(manifest).spec.jobTemplate.spec);

const bound = ofKind("Job").map((manifest) => job.parse(manifest));

test.each(checked)("$file: $kind has only the fields of its definition", ({ kind, manifest }) => {
  expect(definitions[kind]?.safeParse(manifest).error).toBeUndefined();
});

test("a mistake would be found", () => {
  const [manifest] = manifests("stack.yaml").filter(({ kind }) => kind === "Stack");
  const { spec } = stack.parse(manifest);
  expect(stack.safeParse({ ...manifest, spec: { ...spec, destroyOnFinalise: false } }).success).toBe(false);
  expect(stack.safeParse({ ...manifest, spec: { ...spec, programRef: { name: "two-sources" } } }).success).toBe(false);
});

test("removing a Stack removes nobody's access", () => {
  expect(stacks.map(({ destroyOnFinalize }) => destroyOnFinalize)).toEqual([false, false]);
});

test("every pod logs in with a token that the kubelet renews, for a given audience, and says where it goes", () => {
  const pods = [
    ...stacks.map(({ workspaceTemplate: { spec } }) => ({ env: spec.env, template: spec.podTemplate })),
    ...[...jobs, ...bound.map(({ spec }) => spec)].map(({ template }) => ({
      env: template.spec.containers[0]?.env ?? [],
      template,
    })),
  ];
  expect(pods).toHaveLength(5);
  for (const { env, template } of pods) {
    const [container] = template.spec.containers;
    const mount = container?.volumeMounts.find(({ name }) => name === "platform");
    const volume = template.spec.volumes.find(({ name }) => name === "platform");
    const source = volume?.projected?.sources[0]?.serviceAccountToken;
    expect(source).toMatchObject({ audience: "auth.platform.example" });
    for (const [name, value] of Object.entries(pinned)) expect(env).toContainEqual({ name, value });
    expect(env).toContainEqual({ name: "PLATFORM_OIDC_TOKEN_FILE", value: `${mount?.mountPath ?? ""}/${source?.path ?? ""}` });
  }
});

test("the operator refreshes with the configuration of today, and a Stack without a repository says where the platform is", () => {
  for (const { refresh, workspaceTemplate, programRef, config } of stacks) {
    expect(refresh).toBe(true);
    expect(workspaceTemplate.spec.env).toContainEqual({ name: "PULUMI_RUN_PROGRAM", value: "true" });
    if (programRef !== undefined)
      expect(Object.keys(config ?? {})).toEqual(expect.arrayContaining(["platform:baseUrl", "platform:identity"]));
  }
});

test("a drift that a CronJob found is not looked for again", () => {
  const rules = [{ action: "FailJob", onExitCodes: { operator: "In", values: [7] } }];
  // The API server takes a policy with this restart policy only.
  expect(jobs).toMatchObject([{ podFailurePolicy: { rules }, template: { spec: { restartPolicy: "Never" } } }]);
});

test("the pod of a rehearsal cannot write, and that of the update waits, reads the rehearsal alone and has an identity of its own", () => {
  const [rehearse, up] = bound.map(({ metadata: { name }, spec: { suspend, template } }) => {
    const { serviceAccountName, containers } = template.spec;
    const file = containers[0]?.volumeMounts.find((each) => each.name === "rehearsal");
    const isReadOnly = JSON.stringify(containers[0]?.env).includes('"PLATFORM_READ_ONLY","value":"true"');
    return { name, suspend, serviceAccountName, isReadOnly, mayChangeFile: file?.readOnly !== true };
  });
  expect(rehearse).toEqual({
    ...{ name: "access-rehearse", serviceAccountName: "access-rehearse" },
    ...{ suspend: undefined, isReadOnly: true, mayChangeFile: true },
  });
  expect(up).toEqual({
    ...{ name: "access-up", serviceAccountName: "access-up" },
    ...{ suspend: true, isReadOnly: false, mayChangeFile: false },
  });
});
