import { mkdir } from "node:fs/promises";
import path from "node:path";
import { engineVariables } from "../engine/project";
import { scratchFolder } from "../support/scratch-folder";
import { bash, succeed } from "./bash";
import { checkout } from "./markdown";
import { shellBlocks } from "./shell-blocks";

// Only ends what hangs: a busy machine takes ten minutes.
jest.setTimeout(3_600_000);

const folder = scratchFolder();
const organization = path.join(folder, "organization");
const {
  PULUMI_BACKEND_URL: _backend,
  PULUMI_CONFIG_PASSPHRASE: _passphrase,
  ...engine
} = engineVariables(folder, path.join(folder, "home"));
const variables: Record<string, string> = {
  ...engine,
  PULUMI_SKIP_CONFIRMATIONS: "true",
  // The package is built already.
  NPM_CONFIG_IGNORE_SCRIPTS: "true",
  NPM_CONFIG_PREFER_OFFLINE: "true",
};

const block = (key: string) => shellBlocks().find((each) => each.key === key)?.text ?? "false";

test("the first program of the README, from a checkout to who has which role; then the package in the repository of a pipeline", async () => {
  const checkedOut = path.join(folder, "pulumi-platform");
  await mkdir(checkedOut);
  await succeed(
    `tar -xz --strip-components=1 -f "${folder}/$(npm pack --silent --pack-destination "${folder}")" -C "${checkedOut}"`,
    checkout,
    variables,
  );
  await succeed(block("README.md#a-first-program"), checkedOut, variables);

  const emulator = `${block("README.md#a-first-program/2").trim().replace("emulator --", "emulator --port 0 --")} | tee emulator.json`;
  // Other tests may use the port that the page has.
  const address = `export PLATFORM_BASE_URL="$(node -p 'require("./emulator.json").baseUrl')"`;
  const first = block("README.md#a-first-program/3").replace(". ./env.sh", `. ./env.sh; ${address}`);
  const meanwhile = async () => {
    const printed = await succeed(first, organization, variables);
    expect(printed).toMatch(/acme\.example\/shop[^]*editor → .*release/);
    const vendored = block("docs/guides/pipelines.md#the-package");
    await succeed(`git init --quiet\n${vendored}\ngit diff --cached --name-only`, organization, variables);
  };
  await bash(emulator, organization, variables, { ready: /"baseUrl":/, meanwhile });
});
