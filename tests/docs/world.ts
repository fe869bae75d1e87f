import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { engineVariables } from "../engine/project";
import type { Ended } from "../support/cli";
import { TestPlatform } from "../support/test-platform";
import { bash, type Serving, succeed } from "./bash";
import { checkout } from "./markdown";

/** Each stack declares a group, an identity in it and what that may do. The group of `prod` is `shop`, beside which it has `engineering`. */
const program = `
import * as pulumi from "@pulumi/pulumi";
import { githubActions, Group, Identity, RoleBinding } from "pulumi-platform";

const isProd = pulumi.getStack() === "prod";
const name = isProd ? "shop" : pulumi.getStack();
const parentUid = process.env["PLATFORM_ORGANIZATION"] ?? "";
if (isProd) new Group("engineering", { parentUid });
const group = new Group(name, { parentUid, description: "What customers see" });
const ci = new Identity("ci", {
  parentUid: group.uid,
  claimMatch: githubActions({ repository: \`acme/\${name}\`, branch: "main" }),
});
new RoleBinding("ci-editor", { parentUid: group.uid, identityUid: ci.uid, roleName: "editor" });
`;

const files = {
  "Pulumi.yaml": "name: access\nruntime: nodejs\n",
  "package.json": '{ "name": "access", "main": "index.ts", "scripts": { "test": "node test.js" } }\n',
  "tsconfig.json": '{ "compilerOptions": { "strict": true, "target": "es2022", "module": "nodenext", "skipLibCheck": true } }\n',
  "index.ts": program,
};

/** The folder and the platform of a reader of the documentation. */
export class World {
  private constructor(
    /** The folder of the program. */
    readonly folder: string,
    readonly platform: TestPlatform,
  ) {}

  /**
   * The organisation `acme` that the pages talk about, beside the emulator's sample. The stacks `prod`, `production`, `people` and
   * `registry` are deployed, `live` is new, and `prod` is selected.
   */
  static async create(): Promise<World> {
    const scratch = path.join(checkout, ".state/tests");
    await mkdir(scratch, { recursive: true });
    const parent = await mkdtemp(path.join(scratch, "docs-"));
    const folder = path.join(parent, "first");
    await mkdir(path.join(folder, "state"), { recursive: true });
    const world = new World(folder, await TestPlatform.start({ data: dataOf(folder), seed: "sample" }));
    for (const [name, text] of Object.entries(files)) await world.write(name, text);
    await world.program("node_modules/.bin/pulumi-platform", `exec "${process.execPath}" "${checkout}/dist/cli/main.js" "$@"`);
    await world.program(
      "node_modules/.bin/pulumi-resource-platform",
      `exec "${process.execPath}" "${checkout}/dist/cli/resource-plugin.js" "$@"`,
    );
    await world.#fill();
    for (const stack of ["live", "production", "people", "registry", "prod"]) {
      await world.succeed(`pulumi stack init ${stack}`);
      if (stack !== "live") await world.succeed("pulumi up --skip-preview");
    }
    return world;
  }

  async #fill(): Promise<void> {
    const { platform } = this;
    const { root } = platform;
    await platform.change("groups", root, { name: "acme" });
    await platform.create("groups", root, { name: "sales", description: "What customers see" });
    const access = await platform.create("groups", root, { name: "access" });
    const [owner, viewer] = [await platform.role("owner"), await platform.role("viewer")];
    const identity = async (parent: string, name: string, roleUid: string) => {
      const claimMatch = { issuer: platform.issuer, subject: name };
      const { uid } = await platform.create("identities", parent, { name, claimMatch });
      await platform.create("roleBindings", root, { identityUid: uid, roleUid });
    };
    await identity(access.uid, "access-writer", owner);
    await identity(access.uid, "access-reader", viewer);
    await identity(root, "writer", owner);
    const eva = await platform.create("identities", root, {
      ...{ name: "eva", email: "eva@acme.example" },
      claimMatch: { issuer: "https://login.acme.example", subject: "eva" },
    });
    await platform.create("roleBindings", root, { identityUid: eva.uid, roleUid: viewer });
  }

  /** The same world again, as it was when this one was closed: also its addresses, which states name. */
  async copy(name: string): Promise<World> {
    const folder = path.join(this.folder, "..", name);
    await cp(this.folder, folder, { recursive: true, verbatimSymlinks: true });
    const port = Number(new URL(this.platform.baseUrl).port);
    const world = new World(folder, await TestPlatform.start({ port, data: dataOf(folder) }));
    // The engine keeps the selection for a folder by its path.
    await world.succeed("pulumi stack select prod");
    return world;
  }

  /** Variables of every command. */
  get variables(): Record<string, string> {
    const home = path.join(this.folder, "home");
    return {
      ...engineVariables(this.folder, path.join(home, ".pulumi")),
      ...this.platform.environment,
      HOME: home,
      PATH: [path.join(this.folder, "bin"), process.env["PATH"] ?? ""].join(path.delimiter),
      PULUMI_BACKEND_URL: `file://${this.folder}/state`,
      PULUMI_SKIP_CONFIRMATIONS: "true",
      // Whether a program compiles is shown by tests/docs/examples.compile.ts.
      PULUMI_NODEJS_TRANSPILE_ONLY: "true",
      NPM_CONFIG_CACHE: path.join(homedir(), ".npm"),
      NO_COLOR: "1",
    };
  }

  /** Plays a script in the folder. @param environment variables that differ from those of every command */
  bash(script: string, environment: Readonly<Record<string, string | undefined>> = {}, serving?: Serving): Promise<Ended> {
    return bash(script, this.folder, { ...this.variables, ...environment }, serving);
  }

  /** Plays a script that a block presupposes. @throws Error if it fails */
  succeed(script: string): Promise<string> {
    return succeed(script, this.folder, this.variables);
  }

  /** Writes a file of the folder. */
  async write(name: string, text: string, mode = 0o644): Promise<void> {
    const file = path.join(this.folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text, { mode });
  }

  /** Writes a shell script that commands can call; those in `bin/` by name. */
  program(name: string, script: string): Promise<void> {
    return this.write(name, `#!/bin/sh\n${script}\n`, 0o755);
  }

  read(name: string): Promise<string> {
    return readFile(path.join(this.folder, name), "utf8");
  }

  /** Removes this world and every copy of it. */
  async remove(): Promise<void> {
    await rm(path.dirname(this.folder), { recursive: true, force: true });
  }
}

function dataOf(folder: string): string {
  return path.join(folder, "emulated.db");
}
