import { spawn, type ChildProcess } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const original = join(__dirname, "..", "..");

/** The output and the end of a script; `code` is null after a signal. */
export interface Ending {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * A checkout in a temporary folder: the real scripts, and fakes for all that they call. Nothing of the machine is on PATH but
 * what a test puts there, so that no network and no installed tool can be met.
 */
export class FakeCheckout {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "scripts-")));
  readonly tools = join(this.root, "tools");
  readonly home = join(this.root, "home");
  readonly #started: ChildProcess[] = [];

  constructor() {
    for (const name of ["scripts", "tsconfig.build.json"])
      cpSync(join(original, name), join(this.root, name), { recursive: true });
    for (const folder of [this.tools, this.home]) mkdirSync(folder);
    symlinkSync(process.execPath, join(this.tools, "node"));
    this.writeTool("tools/chromium", "exit 0");
    this.write("Pulumi.yaml", "name: fake\nruntime: nodejs\nstackConfigDir: .state/config\n");
    for (const file of ["package-lock.json", "node_modules/.package-lock.json"]) this.write(file, '{ "packages": {} }');
    this.write("node_modules/@pulumi/pulumi/pulumi-resource-pulumi-nodejs", "#!/bin/sh\n");
  }

  /** Writes a file below the root. */
  write(path: string, content: string): string {
    const file = join(this.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  }

  /** Writes an executable; a shell script unless it says otherwise. */
  writeTool(path: string, body: string): string {
    const file = this.write(path, body.startsWith("#!") ? body : `#!/bin/sh\n${body}\n`);
    chmodSync(file, 0o755);
    return file;
  }

  /** Puts an engine into a folder: a `pulumi` that knows its version and then does `body`, and the named companions. */
  writeEngine(
    folder: string,
    version: string,
    companions = ["pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"],
    body = "",
  ): void {
    this.writeTool(join(folder, "pulumi"), `if [ "$1" = version ]; then echo v${version}; exit 0; fi\n${body}`);
    for (const name of companions) this.writeTool(join(folder, name), "exit 0");
  }

  /** Has the compiler produce this as dist/cli/main.js. */
  writeCommandLine(javascript: string): void {
    this.write("main.js", javascript);
    this.write(
      "node_modules/typescript/bin/tsc",
      `const fs = require("node:fs"), out = process.argv.at(-1) + "/cli";
       fs.mkdirSync(out, { recursive: true });
       fs.copyFileSync(${JSON.stringify(join(this.root, "main.js"))}, out + "/main.js");`,
    );
    this.writeTool(
      "node_modules/.bin/esbuild",
      `for each in "$@"; do
         case $each in
           --outdir=*) /bin/mkdir -p "\${each#*=}" ;;
           --metafile=*) echo '{ "outputs": {} }' > "\${each#*=}" ;;
         esac
       done`,
    );
  }

  /** Has the emulator's command note its process id, arguments and environment, say where it is, and leave when it is asked to. */
  writeEmulator(): void {
    this.writeCommandLine(`
      if (process.argv[2] === "access") console.log("acme/"), process.exit(0);
      const call = { pid: process.pid, args: process.argv.slice(2), env: process.env };
      require("node:fs").writeFileSync("emulator.json", JSON.stringify(call));
      const base = "http://127.0.0.1:1";
      const addresses = { baseUrl: base, authUrl: base + "/auth", issuer: base, adminUrl: base + "/admin" };
      console.log(JSON.stringify({ ...addresses, organization: "org", identity: "org/me", oidcTokenFile: "/token" }));
      process.on("SIGTERM", () => process.exit(0));
      setInterval(() => {}, 1000);`);
  }

  /** Writes what `--native` makes its program of. */
  writeExample(): void {
    this.write("examples/organization/index.ts", 'import { Group } from "pulumi-platform";\n');
    for (const file of ["package.json", "tsconfig.json"]) this.write(`examples/organization/${file}`, "{}");
  }

  /** Starts `node <args>` in the checkout; `env` is added to the little that every run gets. */
  start(args: string[], env: Record<string, string> = {}): { child: ChildProcess; ending: Promise<Ending> } {
    const child = spawn(process.execPath, args, {
      cwd: this.root,
      env: { PATH: this.tools, HOME: this.home, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#started.push(child);
    const ending: Ending = { code: null, stdout: "", stderr: "" };
    child.stdout.on("data", (chunk: Buffer) => (ending.stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (ending.stderr += chunk.toString()));
    return {
      child,
      ending: new Promise((resolve) => {
        child.once("close", (code) => {
          resolve({ ...ending, code });
        });
      }),
    };
  }

  /** Runs one of the scripts to its end. */
  run(script: string, args: string[] = [], env: Record<string, string> = {}): Promise<Ending> {
    return this.start([join("scripts", script), ...args], env).ending;
  }

  /** Runs one of the scripts, which must fail and say `reason`, without a stack trace. */
  async refuse(reason: string, script: string, args: string[] = [], env: Record<string, string> = {}): Promise<void> {
    const { code, stderr } = await this.run(script, args, env);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(reason) as string });
    expect(stderr).not.toMatch(/^\s+at /m);
  }

  /** Runs a piece of module code that may import from ./scripts, with the commands' own handling of signals and failures. */
  evaluate(code: string, env: Record<string, string> = {}): { child: ChildProcess; ending: Promise<Ending> } {
    const file = this.write(
      `evaluate-${this.#started.length}.mjs`,
      `import { main } from "./scripts/lib/main.mjs";\nmain(async () => {${code}});\n`,
    );
    return this.start([file], env);
  }

  remove(): void {
    for (const child of this.#started) if (child.exitCode === null) child.kill("SIGKILL");
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** The checkout of the present test. */
export let checkout: FakeCheckout;

/** Gives each test of a file, or of a part of one, a checkout. @param prepare what every test finds in it */
export function useCheckout(prepare = (_: FakeCheckout) => {}): void {
  beforeEach(() => {
    checkout = new FakeCheckout();
    prepare(checkout);
  });
  afterEach(() => {
    checkout.remove();
  });
}

/** Waits until something holds, and looks again every few milliseconds. @throws Error when it has not come true within 5 minutes */
export async function until(holds: () => boolean): Promise<void> {
  const deadline = Date.now() + 300_000;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`This never came true: ${holds.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
