import { parse } from "yaml";
import { z } from "zod";
import { pinned, pipelineText } from "./pipelines";

const text = pipelineText("gitlab/.gitlab-ci.yml");
const strings = z.array(z.string());
const variables = z.record(z.string(), z.string());

// The keywords that the example uses, from GitLab's reference: https://docs.gitlab.com/ci/yaml/
const job = z.strictObject({
  extends: z.string().optional(),
  stage: z.enum(["review", "rehearse", "deploy", "drift"]),
  rules: z.array(z.strictObject({ if: z.string(), when: z.enum(["manual"]).optional() })),
  variables: variables.optional(),
  environment: z.string().optional(),
  resource_group: z.string().optional(),
  script: strings,
  artifacts: z
    .strictObject({
      when: z.enum(["on_success", "on_failure", "always"]),
      expose_as: z
        .string()
        .regex(/^[\w -]+$/)
        .optional(),
      paths: strings.optional(),
      reports: z.strictObject({ junit: z.string() }).optional(),
    })
    .optional(),
});
const pipeline = z
  .object({
    stages: strings,
    variables,
    default: z.strictObject({
      image: z.string(),
      cache: z.strictObject({ key: z.strictObject({ files: strings }), paths: strings }),
      before_script: strings,
    }),
    ".platform": z.strictObject({ id_tokens: z.record(z.string(), z.strictObject({ aud: z.string() })) }),
  })
  .catchall(job);

test("the GitLab pipeline has only keywords that GitLab knows", () => {
  expect(pipeline.safeParse(parse(text)).error).toBeUndefined();
});

test("a mistake would be found", () => {
  expect(pipeline.safeParse(parse(text.replace("resource_group", "resource_groups"))).success).toBe(false);
});

test("the pipeline says beside the token where it goes", () => {
  expect(pipeline.parse(parse(text)).variables).toMatchObject(pinned);
});

test("every job logs in with the token of the job; only the manual one, in an environment, may write", () => {
  const { stages: _, variables: __, default: ___, ".platform": platform, ...jobs } = pipeline.parse(parse(text));
  expect(Object.keys(platform.id_tokens)).toEqual(["PLATFORM_OIDC_TOKEN"]);
  const writing = Object.entries(jobs as Record<string, z.infer<typeof job>>).filter(([, each]) => {
    expect(each.extends).toBe(".platform");
    return each.variables?.["PLATFORM_READ_ONLY"] !== "true";
  });
  expect(writing).toMatchObject([["up", { environment: "access-production", rules: [{ when: "manual" }, { when: "manual" }] }]]);
});
