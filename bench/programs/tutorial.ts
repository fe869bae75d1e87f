import * as pulumi from "@pulumi/pulumi";
import { declareOrganization, setting } from "./organization";

// The same resources in the style of tutorials, with closures in `pulumi.dynamic.Resource`, and fetch.

type Properties = Record<string, unknown>;

async function call(method: string, path: string, body?: unknown): Promise<Properties> {
  const response = await fetch(`${process.env["PLATFORM_BASE_URL"] ?? ""}/iam/v2beta1/${path}`, {
    method,
    headers: { authorization: `Bearer ${process.env["BENCH_TOKEN"] ?? ""}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === "" ? {} : (JSON.parse(text) as Properties);
}

function providerOf(segment: string, fields: string[]): pulumi.dynamic.ResourceProvider<Properties, Properties> {
  return {
    diff(_id, olds, news) {
      const changed = ["parentUid", ...fields].filter((field) => JSON.stringify(olds[field]) !== JSON.stringify(news[field]));
      return Promise.resolve({
        changes: changed.length > 0,
        replaces: changed.filter((field) => field === "parentUid"),
        deleteBeforeReplace: false,
      });
    },
    async create(inputs) {
      const body = Object.fromEntries(fields.map((field) => [field, inputs[field]]));
      const made = await call("POST", `${segment}/${String(inputs["parentUid"])}`, body);
      return { id: String(made["uid"]), outs: { ...inputs, createTime: made["createTime"] } };
    },
    async read(id, props = {}) {
      const found = await call("GET", `${segment}/${id}`);
      const present = fields.filter((field) => found[field] !== undefined && found[field] !== "");
      return { id, props: { ...props, ...Object.fromEntries(present.map((field) => [field, found[field]])) } };
    },
    async update(id, olds, news) {
      const body = Object.fromEntries(fields.map((field) => [field, news[field]]));
      await call("PATCH", `${segment}/${id}`, body);
      return { outs: { ...news, createTime: olds["createTime"] } };
    },
    async delete(id) {
      await call("DELETE", `${segment}/${id}`);
    },
  };
}

const groupProvider = providerOf("groups", ["name", "description"]);
const identityProvider = providerOf("identities", ["name", "description", "claimMatch"]);
const roleBindingProvider = providerOf("roleBindings", ["identityUid", "roleUid"]);

class Group extends pulumi.dynamic.Resource {
  constructor(name: string, args: pulumi.Inputs) {
    super(groupProvider, name, { ...args, createTime: undefined }, {}, "platform/iam", "Group");
  }
}

class Identity extends pulumi.dynamic.Resource {
  constructor(name: string, args: pulumi.Inputs) {
    super(identityProvider, name, { ...args, createTime: undefined }, {}, "platform/iam", "Identity");
  }
}

class RoleBinding extends pulumi.dynamic.Resource {
  constructor(name: string, args: pulumi.Inputs) {
    super(roleBindingProvider, name, { ...args, createTime: undefined }, {}, "platform/iam", "RoleBinding");
  }
}

declareOrganization({ Group, Identity, RoleBinding, viewer: setting("BENCH_ROLE") });
