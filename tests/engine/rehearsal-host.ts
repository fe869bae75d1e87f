import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import type { TestPlatform } from "../support/test-platform";
import type { Project } from "./project";
import { platform, project, useProject } from "./use-project";

/** The address that the copy stands for. */
export const address = "https://platform.example";

/** The variables of a rehearsal on `copy`. */
async function rehearsalVariables(copy: TestPlatform): Promise<Record<string, string>> {
  const token = (await readFile(copy.oidcTokenFile, "utf8")).trim();
  return { PLATFORM_REHEARSAL: JSON.stringify({ copy: copy.baseUrl, standsFor: [address], token }) };
}

/** The host of a rehearsal, to which the engine of a project attaches. */
export class RehearsalHost {
  /** The lines that it printed, besides the first. */
  readonly lines: object[] = [];

  private constructor(
    private readonly child: ChildProcess,
    private readonly home: string,
    /** Ports by package. */
    readonly ports: Readonly<Record<string, number>>,
  ) {}

  /** Starts the host in the folder of `project`. */
  static async start(project: Project, variables: Record<string, string>): Promise<RehearsalHost> {
    const home = await mkdtemp(path.join(tmpdir(), "rehearsal-host-"));
    const inherited = Object.entries(process.env).filter(([name]) => !/^(PLATFORM|PULUMI|ACTIONS)_/.test(name));
    const child = spawn(process.execPath, [path.resolve(__dirname, "../../dist/cli/rehearsal-host.js")], {
      cwd: project.folder,
      env: { ...Object.fromEntries(inherited), PULUMI_HOME: home, ...variables },
      stdio: ["pipe", "pipe", "inherit"],
    });
    const lines = createInterface(child.stdout);
    const [first] = (await once(lines, "line")) as [string];
    const { ports } = JSON.parse(first) as { ports: Record<string, number> };
    const host = new RehearsalHost(child, home, ports);
    lines.on("line", (line) => host.lines.push(JSON.parse(line) as object));
    return host;
  }

  /** How the engine finds the host. */
  get debugProviders(): string {
    return Object.entries(this.ports)
      .map(([name, port]) => `${name}:${port}`)
      .join(",");
  }

  /** Closes its standard input, which ends it. @returns the exit code */
  async close(): Promise<number | null> {
    this.child.stdin?.end();
    if (this.child.exitCode === null) await once(this.child, "close");
    await rm(this.home, { recursive: true, force: true });
    return this.child.exitCode;
  }
}

/**
 * Gives each test of a file a platform that stands for a copy, a project without any variable for the platform, and the host that the project's
 * engine attaches to.
 */
export function useRehearsal(): { host: RehearsalHost } {
  const rehearsed = {} as { host: RehearsalHost };
  useProject();
  beforeEach(async () => {
    const variables = await rehearsalVariables(platform);
    const names = Object.keys(project.environment);
    Object.assign(project.environment, Object.fromEntries(names.map((name) => [name, ""])), variables);
    rehearsed.host = await RehearsalHost.start(project, variables);
    project.environment["PULUMI_DEBUG_PROVIDERS"] = rehearsed.host.debugProviders;
    await project.config({
      "platform:baseUrl": address,
      "platform:audience": platform.baseUrl,
      "platform:organization": platform.root,
      "platform:identity": platform.identity,
      "platform:oidcTokenFile": "/no/such/file",
    });
  });
  afterEach(() => rehearsed.host.close());
  return rehearsed;
}
