import * as pulumi from "@pulumi/pulumi";
import { declareOrganization, setting } from "./organization";

// The lower bound of the engine, with the same declarations, served by nothing-provider.cjs without I/O. Stack traces are kept.

function nothing(type: string, served: string, outputs: string[]) {
  return class extends pulumi.CustomResource {
    constructor(name: string, args: pulumi.Inputs) {
      super(`pulumi-nodejs:dynamic/platform/iam:${type}`, name, {
        ...Object.fromEntries(outputs.map((output) => [output, undefined])),
        ...args,
        __provider: `exports.handler = () => require("nothing-package/provider").${served}`,
      });
    }
  };
}

declareOrganization({
  Group: nothing("Group", "group", ["createTime"]),
  Identity: nothing("Identity", "identity", ["createTime"]),
  RoleBinding: nothing("RoleBinding", "roleBinding", ["createTime", "identity", "group", "role"]),
  viewer: setting("BENCH_ROLE"),
});
