import { z } from "zod";
import { messageOf, PlatformError } from "../../provider/client/errors";
import type { Values } from "../../provider/schema/values";

/** One object in a Terraform state. */
export interface TerraformObject {
  /** `module.team["shop"].platform_group.this[0]`. */
  readonly address: string;
  /** The address without the keys of instances, in the form of a `removed` block: `module.team.platform_group.this`. */
  readonly block: string;
  /** The address in words, without the type: `team`, `shop`, `this`, `0`. */
  readonly words: readonly string[];
  readonly mode: string;
  readonly type: string;
  /** `tainted`: Terraform will replace it. `deposed`: Terraform has replaced it and must still delete it. */
  readonly status: "current" | "tainted" | "deposed";
  /** Undefined if the state has the form of Terraform before 0.12. */
  readonly attributes: Values | undefined;
}

const key = z.union([z.string(), z.number()]).nullish();
const attributes = z.record(z.string(), z.unknown()).nullish();

/** A state file. https://developer.hashicorp.com/terraform/internals/json-format describes only the other form. */
const stateFile = z.looseObject({
  version: z.literal(4, { error: "must be 4: run `terraform apply -refresh-only` with Terraform 0.13 or newer" }),
  resources: z
    .array(
      z.looseObject({
        module: z.string().nullish(),
        mode: z.string(),
        type: z.string(),
        name: z.string(),
        instances: z.array(
          z.looseObject({ index_key: key, status: z.string().nullish(), deposed: z.string().nullish(), attributes }),
        ),
      }),
    )
    .nullish(),
});

const shownModule = z.looseObject({
  address: z.string().nullish(),
  resources: z
    .array(
      z.looseObject({
        mode: z.string(),
        type: z.string(),
        name: z.string(),
        index: key,
        tainted: z.boolean().nullish(),
        deposed_key: z.string().nullish(),
        values: attributes,
      }),
    )
    .nullish(),
  get child_modules() {
    return z.array(shownModule).nullish();
  },
});

const shownState = z.looseObject({
  format_version: z.string(),
  values: z.looseObject({ root_module: shownModule.nullish() }).nullish(),
});

/**
 * The objects in `text`, which is a state file of version 4 or the output of `terraform show -json`.
 *
 * @param source the origin of the text, for messages
 * @throws PlatformError `INVALID_INPUT`
 */
export function readState(text: string, source: string): TerraformObject[] {
  const state = parseJson(text, source);
  if (typeof state === "object" && state !== null && "planned_values" in state)
    throw invalid(`${source} is a plan, not a state. Pass the output of \`terraform show -json\` without a plan file.`);
  const isShown = typeof state === "object" && state !== null && "format_version" in state;
  return isShown ? fromModule(parsed(shownState, state, source).values?.root_module) : fromFile(parsed(stateFile, state, source));
}

function parseJson(text: string, source: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, "")) as unknown;
  } catch (error) {
    // The message of a syntax error quotes the text, which may contain a secret.
    const where = /position \d+|Unexpected end/.exec(messageOf(error))?.[0] ?? "its content";
    throw invalid(`${source} is not JSON (${where}). Pass a state file, or the output of \`terraform show -json\`.`);
  }
}

function parsed<Schema extends z.ZodType>(schema: Schema, state: unknown, source: string): z.output<Schema> {
  const { data, error } = schema.safeParse(state);
  if (error === undefined) return data;
  const problems = error.issues.map(({ path, message }) => `  ${path.join(".") || "the whole"}: ${message}`);
  throw invalid(`${source} is not a Terraform state:\n${problems.join("\n")}`);
}

function invalid(message: string): PlatformError {
  return new PlatformError("INVALID_INPUT", message);
}

function fromFile({ resources }: z.output<typeof stateFile>): TerraformObject[] {
  return (resources ?? []).flatMap((resource) =>
    resource.instances.map(({ index_key, status, deposed, attributes }) =>
      objectOf({ ...resource, key: index_key, deposed, isTainted: status === "tainted", attributes }),
    ),
  );
}

function fromModule(module: z.output<typeof shownModule> | null | undefined): TerraformObject[] {
  const own = (module?.resources ?? []).map(({ index, deposed_key, tainted, values, ...resource }) =>
    objectOf({
      ...resource,
      module: module?.address,
      key: index,
      deposed: deposed_key,
      isTainted: tainted === true,
      attributes: values,
    }),
  );
  return [...own, ...(module?.child_modules ?? []).flatMap(fromModule)];
}

interface Found {
  module?: string | null | undefined;
  mode: string;
  type: string;
  name: string;
  key: string | number | null | undefined;
  deposed: string | null | undefined;
  isTainted: boolean;
  attributes: Values | null | undefined;
}

function objectOf({ module, mode, type, name, key, deposed, isTainted, attributes }: Found): TerraformObject {
  const modules = modulesIn(module ?? "");
  const resource = `${mode === "data" ? "data." : ""}${type}.${name}`;
  const index = key === undefined || key === null ? "" : `[${JSON.stringify(key)}]`;
  const within = (path: string | null | undefined) => (path ? `${path}.${resource}` : resource);
  return {
    address: within(module) + index + (deposed ? ` (deposed object ${deposed})` : ""),
    block: within(modules.map((each) => `module.${each.name}`).join(".")),
    words: [...modules.flatMap((each) => [each.name, ...each.key]), name, ...(index === "" ? [] : [String(key)])],
    mode,
    type,
    status: deposed ? "deposed" : isTainted ? "tainted" : "current",
    attributes: attributes ?? undefined,
  };
}

/** The modules in `module.team["shop"].module.base[0]`, from the outside in. */
function modulesIn(path: string): { name: string; key: string[] }[] {
  return [...path.matchAll(/module\.([^.[]+)(?:\[("(?:[^"\\]|\\.)*"|\d+)\])?\.?/gy)].map(([, name = "", key]) => ({
    name,
    key: key === undefined ? [] : [String(JSON.parse(key))],
  }));
}
