import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);
const checkout = path.resolve(__dirname, "../..");

/** The packed package, unpacked into the node_modules of a folder in the checkout, where its dependencies are found. */
export class Consumer {
  private constructor(readonly folder: string) {}

  static async create(): Promise<Consumer> {
    const scratch = path.join(checkout, ".state/tests");
    await mkdir(scratch, { recursive: true });
    const consumer = new Consumer(await mkdtemp(path.join(scratch, "consumer-")));
    const installed = path.join(consumer.folder, "node_modules/pulumi-platform");
    await mkdir(installed, { recursive: true });
    const { stdout } = await execute("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", consumer.folder], {
      cwd: checkout,
    });
    await execute("tar", ["-xzf", path.join(consumer.folder, stdout.trim()), "--strip-components=1", "-C", installed]);
    return consumer;
  }

  /** A folder of its own below the consumer's, with these files. */
  async project(name: string, files: Readonly<Record<string, string>>): Promise<string> {
    const folder = path.join(this.folder, name);
    await mkdir(folder);
    for (const [file, text] of Object.entries({ "package.json": "{}\n", ...files }))
      await writeFile(path.join(folder, file), text);
    return folder;
  }

  /** Runs a program of the checkout's node_modules/.bin, or of PATH; resolves to all that it prints. */
  async run(folder: string, command: string, ...args: string[]): Promise<string> {
    const inherited = Object.entries(process.env).filter(([name]) => !/^(PLATFORM|PULUMI|JEST|NODE_ENV|VITEST)/.test(name));
    const env = {
      ...Object.fromEntries(inherited),
      CI: "true",
      PATH: [path.join(checkout, "node_modules/.bin"), process.env["PATH"] ?? ""].join(path.delimiter),
    };
    const { stdout, stderr } = await execute(command, args, { cwd: folder, env }).catch((error: unknown) => {
      const { stdout, stderr } = error as { stdout?: string; stderr?: string };
      throw new Error(`${command} failed: ${stdout ?? String(error)}${stderr ?? ""}`);
    });
    return stdout + stderr;
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}
