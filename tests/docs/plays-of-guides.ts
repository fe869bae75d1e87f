import { readFile } from "node:fs/promises";
import { blocks } from "./markdown";
import { driftOf, nothingWritten, type Play } from "./play";
import type { World } from "./world";

const addresses = ({ platform }: World) => ({
  "https://api.platform.example": platform.baseUrl,
  "https://auth.platform.example": platform.emulator.authUrl,
});

/** The program of the guide, for a stack of its own. */
async function brownfield(world: World): Promise<void> {
  const program = blocks("ts", "docs/guides/brownfield.md").map(({ text }) => text);
  await world.write("index.ts", program.join("\n"));
  await world.succeed("pulumi stack init taken-over");
}

/** A Terraform state with the group `sales`, behind a `terraform` that shows it; and a program that declares the group. */
async function terraform(world: World): Promise<void> {
  const { platform } = world;
  const { uid } = await platform.named("groups", "sales");
  const attributes = { id: uid, name: "sales", description: "What customers see", parent_id: platform.root };
  const instances = [{ schema_version: 0, attributes, sensitive_attributes: [] }];
  const provider = 'provider["registry.example/acme/platform"]';
  const resources = [{ mode: "managed", type: "platform_group", name: "sales", provider, instances }];
  const state = { version: 4, terraform_version: "1.11.4", serial: 1, lineage: "1", outputs: {}, resources };
  await world.write("terraform.tfstate", JSON.stringify(state));
  await world.program("bin/terraform", 'cat "$HOME/../terraform.tfstate"');
  await world.succeed("pulumi stack init from-terraform");
  await world.write(
    "index.ts",
    'import { Group } from "pulumi-platform";\nnew Group("sales", { parentUid: process.env["PLATFORM_ORGANIZATION"] ?? "", description: "What customers see" });\n',
  );
}

/** Blocks of `docs/guides/`. */
export const guidePlays: Readonly<Record<string, Play>> = {
  "docs/guides/brownfield.md#declare-it-as-it-is": { before: brownfield, check: nothingWritten },
  "docs/guides/brownfield.md#declare-it-as-it-is/2": {
    before: async (world) => {
      await brownfield(world);
      await world.succeed("PLATFORM_ADOPT=true pulumi up --skip-preview");
    },
    check: nothingWritten,
  },
  "docs/guides/credentials.md#other-ci-systems": {
    before: (world) => driftOf(world, "production"),
    environment: async ({ platform }) => ({
      PLATFORM_OIDC_TOKEN_FILE: undefined,
      CIRCLE_OIDC_TOKEN_V2: await readFile(platform.oidcTokenFile, "utf8"),
    }),
    replace: (world) => ({ ...addresses(world), "<uid>": world.platform.identity }),
  },
  "docs/guides/credentials.md#your-own-machine": {
    before: async (world) => world.program("bin/platform-cli", `echo ${await world.platform.apiToken()}`),
    environment: () => ({ PLATFORM_OIDC_TOKEN_FILE: undefined }),
    then: "npx --no-install pulumi-platform whoami",
    check: (_world, { stdout }) => expect(stdout).toMatch(/PLATFORM_TOKEN_COMMAND +taken/),
  },
  "docs/guides/credentials.md#your-own-machine/2": {
    before: async (world) =>
      world.write("home/.config/platform/oidc-token", await readFile(world.platform.oidcTokenFile, "utf8"), 0o600),
    environment: () => ({ PLATFORM_OIDC_TOKEN_FILE: undefined, PLATFORM_IDENTITY: undefined }),
    replace: ({ platform }) => ({ "<uid>": platform.identity }),
    then: "npx --no-install pulumi-platform whoami",
    check: (_world, { stdout }) => expect(stdout).toMatch(/PLATFORM_OIDC_TOKEN_FILE +taken/),
  },
  "docs/guides/credentials.md#an-identity-for-previews-that-cannot-write": {
    replace: async ({ platform }) => ({
      "<uid of access-writer>": (await platform.named("identities", "access-writer")).uid,
      "<uid of access-reader>": (await platform.named("identities", "access-reader")).uid,
    }),
    environment: () => ({ PLATFORM_IDENTITY: undefined }),
  },
  "docs/guides/credentials.md#settings-that-a-pull-request-can-change": {
    replace: addresses,
    then: "npx --no-install pulumi-platform whoami",
  },
  "docs/guides/from-terraform.md#take-over-a-state": {
    before: terraform,
    check: async (world) => {
      expect(await world.read("removed.tf")).toContain("platform_group.sales");
      await nothingWritten(world);
    },
  },
  "docs/guides/from-terraform.md#take-over-a-state/2": {
    before: async (world) => {
      await terraform(world);
      const [convert] = blocks("sh", "docs/guides/from-terraform.md");
      await world.succeed(convert?.text ?? "");
    },
    check: nothingWritten,
  },
  "docs/guides/rehearsed-updates.md#rehearsed-updates": {
    // The file of the pull request reaches the later job under another name.
    replace: () => ({ "\n\n# 2.": "\nmv rehearsal.json reviewed.json\n# 2." }),
    check: async ({ platform }) => expect(await platform.groupNames()).toContain("live"),
  },
  "docs/guides/rehearsed-updates.md#the-identity": { check: nothingWritten },
  "docs/guides/runbooks.md#somebody-leaves": {
    check: (_world, { stdout }) => expect(stdout).toContain("viewer"),
  },
  "docs/guides/runbooks.md#a-break-glass-identity-was-used": {
    before: (world) => driftOf(world),
    codes: [7],
    check: async (world) => expect(await world.read("incident.md")).toContain("acme/shop"),
  },
  "docs/guides/runbooks.md#something-was-deleted-by-hand-and-every-run-fails": {
    replace: async (world) => {
      const { uid } = await world.platform.named("groups", "shop");
      await world.platform.delete("groups", uid);
      return { UID: uid };
    },
    codes: [2, 0, 0],
    check: async ({ platform }) => expect(await platform.groupNames()).toContain("shop"),
  },
  "docs/guides/runbooks.md#a-state-is-lost": {
    before: (world) => world.succeed("pulumi stack export --file copy.json"),
    check: nothingWritten,
  },
  "docs/guides/runbooks.md#a-state-is-lost/2": {
    before: (world) => world.succeed("pulumi stack rm prod --force --yes"),
    check: nothingWritten,
  },
};
