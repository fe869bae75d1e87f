import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";

const checkout = path.resolve(__dirname, "../..");
const built = (file: string) => JSON.stringify(path.join(checkout, "dist", file));

/** A group whose description is a secret, and whose answers have an `apiKey` that is one too. */
const kind = `
const { declare } = require(${built("provider/kinds/declaration.js")});
const { createTime, description, having, name, output, parent, text } = require(${built("provider/kinds/fields.js")});
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
  filters: { name: "name" },
});
`;

const provider = `
const { dynamicProvider } = require(${built("provider/host/dynamic.js")});
const { apiKey } = require("./kind.js");
module.exports = { ...require(${built("provider/index.js")}), apiKey: dynamicProvider(apiKey) };
`;

const resource = `
const { resourceClass } = require(${built("sdk/declared.js")});
const { apiKey } = require("./kind.js");
class ApiKey extends resourceClass(apiKey) {}
module.exports = { ...require(${built("sdk/index.js")}), ApiKey };
`;

/** Gives the project in `folder` the package with one kind more: `ApiKey`, which has a secret input and a secret output. */
export async function installSecretKind(folder: string): Promise<void> {
  const home = path.join(folder, "node_modules/pulumi-platform");
  await mkdir(home, { recursive: true });
  const manifest = { name: "pulumi-platform", exports: { ".": "./index.js", "./provider": "./provider.js" } };
  await writeFile(path.join(home, "package.json"), JSON.stringify(manifest));
  await writeFile(path.join(home, "kind.js"), kind);
  await writeFile(path.join(home, "index.js"), resource);
  await writeFile(path.join(home, "provider.js"), provider);
}
