import { cp } from "node:fs/promises";
import path from "node:path";
import { blocks, checkout } from "./markdown";
import { ciOf, driftOf, nothingWritten, type Play, repaired } from "./play";
import type { World } from "./world";

const listening = /"baseUrl":/;

/** Makes a port that a page chooses a free one. */
const anyPort = () => ({ "emulator --": "emulator --port 0 --" });

/** Lets the engine find the plugin, as docs/native.md says. */
const withPlugin = (world: World) =>
  world.write(
    "Pulumi.yaml",
    "name: access\nruntime: nodejs\nplugins: { providers: [{ name: platform, path: node_modules/.bin }] }\n",
  );

/** The engine takes the variable that answers its questions for `--yes`, which a preview does not allow. */
const previewOnly = () => ({ PULUMI_SKIP_CONFIRMATIONS: undefined });

/** Adds a resource to the state that is pending deletion in another organisation. */
async function movedFrom(world: World, organisation: string): Promise<void> {
  const gone = `.deployment.resources |= . + [(map(select(.urn | endswith("Identity::ci")))[0] + { id: "${organisation}/1", delete: true })]`;
  await world.succeed(`pulumi stack export | jq '${gone}' > moved.json && pulumi stack import --file moved.json`);
}

/** Blocks of the README, of `docs/` itself and of `docs/resources/`. */
export const pagePlays: Readonly<Record<string, Play>> = {
  "docs/configuration.md#break-glass-identities": {
    check: async (world) => expect(await world.read("Pulumi.prod.yaml")).toContain("e21d2dd44193ac6d"),
  },
  "docs/drift.md#find-it": { before: (world) => driftOf(world), environment: previewOnly, codes: [7], check: nothingWritten },
  "docs/drift.md#repair-it": { before: (world) => driftOf(world), check: (world) => repaired(world) },
  "docs/drift.md#a-check-on-a-schedule": {
    environment: previewOnly,
    check: async (world, { stdout }) => {
      expect(stdout).toContain("No drift.");
      await nothingWritten(world);
    },
  },
  "docs/drift.md#a-check-on-a-schedule/2": {
    before: (world) => driftOf(world, "production"),
    check: (world) => repaired(world, "production"),
  },
  "docs/drift.md#after-a-run-that-was-killed": { codes: [0, 0, 0, 0, 0] },
  "docs/drift.md#after-a-run-that-was-killed/2": {
    before: async (world) => world.platform.delete("identities", await ciOf(world)),
    check: async (world) => expect(await ciOf(world)).toContain("/"),
  },
  "docs/emulator.md#on-the-command-line": { replace: () => ({ 4010: "0" }), ready: listening },
  "docs/emulator.md#on-the-command-line/2": {
    replace: anyPort,
    // A test that needs the emulator.
    before: (world) => world.write("test.js", 'fetch(require("./emulator.json").baseUrl).catch(() => process.exit(1));\n'),
  },
  "docs/emulator.md#a-copy-of-an-organisation": {
    replace: async ({ platform }) => ({
      "https://platform.example": platform.baseUrl,
      "PLATFORM_TOKEN=...": `PLATFORM_TOKEN=${await platform.apiToken()}`,
      "acme.example": "acme",
    }),
    environment: () => ({ PLATFORM_OIDC_TOKEN_FILE: undefined }),
    ready: listening,
    check: nothingWritten,
  },
  "docs/errors.md#match-a-code": {
    before: (world) => world.platform.fault({ method: "POST" }, { status: 403, code: 7 }, { times: 0 }),
    environment: () => ({ PULUMI_STACK: "live" }),
    check: (_world, { stdout }) => expect(stdout.trim()).toMatch(/^\[[A-Z_]+\]$/),
  },
  "docs/errors.md#a-stack-that-moved-to-another-organisation": {
    before: (world) => movedFrom(world, "0123456789abcdef0123456789abcdef01234567"),
    replace: () => ({ OLD_ORGANISATION: "0123456789abcdef0123456789abcdef01234567" }),
    check: async (world) => {
      expect(await world.succeed("pulumi stack export")).not.toContain("0123456789abcdef");
      await world.succeed("pulumi preview --refresh --run-program --expect-no-changes");
    },
  },
  "docs/native.md#without-nodejs": {
    before: async (world) => {
      const archives = path.join(world.folder, "archives");
      await world.succeed(
        `node "${checkout}/scripts/bundle.mjs" "${archives}" && mv archives/*.tar.gz pulumi-resource-platform-v0.1.0-linux-amd64.tar.gz`,
      );
    },
    then: "pulumi plugin ls --json | jq -e '.[] | select(.name == \"platform\")'",
  },
  "docs/native.md#import": {
    before: withPlugin,
    // The option that the page names for a CLI that cannot generate code, such as that of the tests may be.
    replace: async ({ platform }) => ({
      "0123456789abcdef0123456789abcdef01234567/0123456789abcdef": `${(await platform.named("groups", "sales")).uid} --generate-code=false`,
    }),
    check: async (world) => {
      expect(await world.succeed("pulumi stack export")).toContain((await world.platform.named("groups", "sales")).uid);
      await nothingWritten(world);
    },
  },
  "docs/native.md#lists": {
    replace: ({ platform }) => ({ "0123456789abcdef0123456789abcdef01234567": platform.root }),
    check: (_world, { stdout }) => expect(stdout).toContain('"engineering"'),
  },
  "docs/resources/group.md#import": {
    before: async (world) => {
      const { uid } = await world.platform.named("groups", "sales");
      const [file] = blocks("json", "docs/resources/group.md").filter(({ text }) => text.includes('"outputs"'));
      const text = (file?.text ?? "")
        .replaceAll("0123456789abcdef0123456789abcdef01234567/89abcdef01234567", uid)
        .replaceAll("0123456789abcdef0123456789abcdef01234567", world.platform.root)
        .replaceAll('"shop"', '"sales"');
      await world.write("import.json", text);
      await world.succeed("pulumi stack init sales");
      await world.write(
        "index.ts",
        'import { Group } from "pulumi-platform";\nnew Group("sales", { parentUid: process.env["PLATFORM_ORGANIZATION"] ?? "", description: "What customers see" });\n',
      );
    },
    check: nothingWritten,
  },
  "docs/scale.md#a-stack-for-each-team": {
    before: async (world) => {
      const { uid } = await world.platform.named("groups", "engineering");
      await world.write("organization/Pulumi.yaml", "name: organization\nruntime: nodejs\n");
      await world.write("organization/package.json", '{ "name": "organization", "main": "index.js" }\n');
      await world.write("organization/index.js", `exports.groups = { engineering: "${uid}" };\n`);
      await world.succeed("cd organization && pulumi stack init dev && pulumi up --skip-preview");
      await cp(path.join(checkout, "examples/teams/index.ts"), path.join(world.folder, "index.ts"));
    },
    check: async ({ platform }) => expect(await platform.groupNames()).toEqual(expect.arrayContaining(["checkout", "basket"])),
  },
};
