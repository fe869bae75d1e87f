import * as pulumi from "@pulumi/pulumi";
import { declareOrganization, setting } from "./organization";

// The lower bound of a plugin: the same declarations with the least that the SDK can register, served by nothing-plugin.cjs.

function nothing(type: string, outputs: string[]) {
  return class extends pulumi.CustomResource {
    constructor(name: string, args: pulumi.Inputs) {
      const prepareStackTrace: unknown = Reflect.get(Error, "prepareStackTrace");
      Error.prepareStackTrace = (error) => String(error);
      super(`nothing:iam:${type}`, name, { ...Object.fromEntries(outputs.map((output) => [output, undefined])), ...args });
      Reflect.set(Error, "prepareStackTrace", prepareStackTrace);
    }
  };
}

declareOrganization({
  Group: nothing("Group", ["createTime"]),
  Identity: nothing("Identity", ["createTime"]),
  RoleBinding: nothing("RoleBinding", ["createTime", "identity", "group", "role"]),
  viewer: setting("BENCH_ROLE"),
});
