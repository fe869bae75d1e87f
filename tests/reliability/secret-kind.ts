import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { installPlugin } from "../engine/project";
import type { Door } from "../support/door";

const checkout = path.resolve(__dirname, "../..");
const built = (file: string) => JSON.stringify(path.join(checkout, "dist", file));

/** A group whose description is a secret, and whose answers have an `apiKey` that is one too. */
const kind = `
const { declare } = require(${built("provider/schema/declare.js")});
const { createTime, description, having, name, output, parent, text } = require(${built("provider/schema/fields.js")});
exports.apiKey = declare({
  name: "ApiKey",
  address: { noun: "api key", area: "iam", segment: "groups" },
  fields: {
    parentUid: parent(),
    name: name(),
    description: having({ secret: true }, description()),
    apiKey: having({ secret: true }, output(text())),
    createTime: createTime(),
  },
  naturalKey: ["name"],
  access: "none",
  filters: { name: "name" },
});
`;

const provider = `
const { dynamicProvider } = require(${built("provider/host/dynamic.js")});
const { apiKey } = require("./kind.js");
module.exports = { ...require(${built("provider/index.js")}), apiKey: dynamicProvider(apiKey) };
`;

const resources = {
  dynamic: `
const { classOf } = require(${built("sdk/resources/declared.js")});
const { apiKey } = require("./kind.js");
class ApiKey extends classOf(apiKey) {}
module.exports = { ...require(${built("sdk/index.js")}), ApiKey };
`,
  native: `
const { nativeClass } = require(${built("sdk/native/native-class.js")});
module.exports = { ...require(${built("sdk/native/index.js")}), ApiKey: nativeClass(require("./index.js").ApiKey) };
`,
};

/** The plugin, which serves every kind that there is when it starts. */
const plugin = `
const { apiKey } = require("./kind.js");
require(${built("provider/kinds/kinds.js")}).kinds.apiKey = apiKey;
require(${built("cli/resource-plugin.js")});
`;

/** Gives the project in `folder` the package with one kind more: `ApiKey`, which has a secret input and a secret output. */
export async function installSecretKind(folder: string, door: Door): Promise<void> {
  const home = path.join(folder, "node_modules/pulumi-platform");
  await mkdir(home, { recursive: true });
  const exports = { ".": "./index.js", "./provider": "./provider.js", "./native": "./native.js" };
  await writeFile(path.join(home, "package.json"), JSON.stringify({ name: "pulumi-platform", exports }));
  await writeFile(path.join(home, "kind.js"), kind);
  await writeFile(path.join(home, "index.js"), resources.dynamic);
  await writeFile(path.join(home, "provider.js"), provider);
  await writeFile(path.join(home, "native.js"), resources.native);
  await writeFile(path.join(home, "plugin.js"), plugin);
  if (door === "native") await installPlugin(folder, path.join(home, "plugin.js"));
}
