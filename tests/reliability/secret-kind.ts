import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";

const checkout = path.resolve(__dirname, "../..");
const built = (file: string) => JSON.stringify(path.join(checkout, "dist", file));

/** A group whose description is a secret, and that the platform answers with an `apiKey` that is one too. */
const provider = `
const { dynamicProvider } = require(${built("provider/host/dynamic.js")});
const { group } = require(${built("provider/kinds/group.js")});
const apiKey = {
  ...group,
  collection: { ...group.collection, noun: "api key" },
  outputs: ({ createTime, apiKey }) => ({ createTime, apiKey }),
  secrets: ["description", "apiKey"],
};
module.exports = { ...require(${built("provider/index.js")}), apiKey: dynamicProvider(apiKey) };
`;

const resource = `
const { PlatformResource } = require(${built("sdk/resource.js")});
const type = {
  token: "pulumi-nodejs:dynamic/platform/iam:ApiKey",
  served: "apiKey",
  outputs: ["parentUid", "name", "description", "createTime", "apiKey"],
  secrets: ["description", "apiKey"],
};
class ApiKey extends PlatformResource {
  constructor(name, args, opts) {
    super(type, name, { name, ...args }, opts);
  }
}
module.exports = { ...require(${built("sdk/index.js")}), ApiKey };
`;

/** Gives the project in `folder` the package with one kind more: `ApiKey`, which has a secret input and a secret output. */
export async function installSecretKind(folder: string): Promise<void> {
  const home = path.join(folder, "node_modules/pulumi-platform");
  await mkdir(home, { recursive: true });
  const manifest = { name: "pulumi-platform", exports: { ".": "./index.js", "./provider": "./provider.js" } };
  await writeFile(path.join(home, "package.json"), JSON.stringify(manifest));
  await writeFile(path.join(home, "index.js"), resource);
  await writeFile(path.join(home, "provider.js"), provider);
}
