import { mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import { main } from "../../support/cli";
import { scratchFolder } from "../../support/scratch-folder";
import { programsIn } from "../../cli/init/stand-ins";
import { bash, succeed } from "../../docs/bash";
import { engineVariables } from "../project";

const checkout = path.resolve(__dirname, "../../..");
const yamlProgram = path.join(checkout, "tests/engine/plugin/yaml-program.cjs");

/** Installs what `package.json` asks for from the checkout, without a registry. */
const npm = `
mkdir -p node_modules/.bin node_modules/@types
for name in @pulumi typescript @types/node yaml; do ln -s "${checkout}/node_modules/$name" node_modules/$name; done
ln -s "${checkout}" node_modules/pulumi-platform
printf '#!/bin/sh\\nexec "${process.execPath}" "${checkout}/dist/cli/resource-plugin.js" "$@"\\n' > node_modules/.bin/pulumi-resource-platform
chmod +x node_modules/.bin/pulumi-resource-platform
`;

const life = `
. ./env.sh
export PLATFORM_BASE_URL=$(node -p "require('./emulator.json').baseUrl")
pulumi up --yes --skip-preview
pulumi preview --expect-no-changes
pulumi stack output shopUid
pulumi destroy --yes --skip-preview
test "$(pulumi stack export | grep -c '"urn"')" = 0
`;

test.each(["typescript", "yaml"])(
  "%s: from an empty folder by init to up, a preview without changes, and destroy, with state and passphrase in the folder",
  async (language) => {
    const folder = scratchFolder();
    const own = engineVariables(folder, path.join(folder, "home"));
    const { PULUMI_BACKEND_URL: _backend, PULUMI_CONFIG_PASSPHRASE: _passphrase, ...variables } = own;
    const stand = { npm, "pulumi-language-yaml": 'exec pulumi-language-nodejs "$@"' };
    const PATH = `${programsIn(path.join(folder, "tools"), stand).split(":", 1).join("")}:${process.env["PATH"] ?? ""}`;
    const environment = { ...variables, PATH };
    await mkdir(path.join(folder, "my-org"));
    await succeed(`"${process.execPath}" "${main}" init my-org --language ${language}`, folder, environment);
    const project = path.join(folder, "my-org");
    if (language === "yaml") await succeed(`cp "${yamlProgram}" index.js`, project, environment);
    const emulator = `"${process.execPath}" "${main}" emulator --port 0 --data platform.db | tee emulator.json`;
    let printed = "";
    const meanwhile = async () => (printed = await succeed(life, project, environment));
    await bash(emulator, project, environment, { ready: /"baseUrl":/, meanwhile });
    expect(printed).toMatch(/^[0-9a-f]{40}\/[0-9a-f]{16}$/m);
    expect(await readdir(path.join(project, "state/.pulumi/stacks/my-org"))).toContain("dev.json");
  },
);
