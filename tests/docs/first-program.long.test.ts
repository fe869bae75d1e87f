import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { engineVariables } from "../engine/project";
import { scratchFolder } from "../support/scratch-folder";
import { bash, succeed } from "./bash";
import { blocks, checkout } from "./markdown";
import { shellBlocks } from "./shell-blocks";

// Only ends what hangs: a busy machine takes ten minutes.
jest.setTimeout(3_600_000);

const folder = scratchFolder();
const organization = path.join(folder, "organization");
const variables: Record<string, string> = {
  ...engineVariables(folder, path.join(folder, "home")),
  PULUMI_SKIP_CONFIRMATIONS: "true",
  // The package is built already.
  NPM_CONFIG_IGNORE_SCRIPTS: "true",
  NPM_CONFIG_PREFER_OFFLINE: "true",
};

const block = (key: string) => shellBlocks().find((each) => each.key === key)?.text ?? "false";
const [program] = blocks("ts", "README.md");

test("the first program of the README, from a checkout to who has which role; then the package in the repository of a pipeline", async () => {
  const checkedOut = path.join(folder, "pulumi-platform");
  await mkdir(checkedOut);
  await succeed(
    `tar -xz --strip-components=1 -f "${folder}/$(npm pack --silent --pack-destination "${folder}")" -C "${checkedOut}"`,
    checkout,
    variables,
  );
  await succeed(block("README.md#a-first-program"), checkedOut, variables);
  await writeFile(path.join(organization, "index.ts"), program?.text ?? "");

  const emulator = block("README.md#a-first-program/2").replace("emulator --", "emulator --port 0 --");
  const meanwhile = async () => {
    const printed = await succeed(block("README.md#a-first-program/3"), organization, variables);
    expect(printed).toMatch(/acme\.example\/shop[^]*editor → .*release/);
    const vendored = block("docs/guides/pipelines.md#the-package");
    await succeed(`git init --quiet\n${vendored}\ngit diff --cached --name-only`, organization, variables);
  };
  await bash(emulator, organization, variables, { ready: /"baseUrl":/, meanwhile });
});
