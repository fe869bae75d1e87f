import { execFile } from "node:child_process";
import path from "node:path";

const main = path.resolve(__dirname, "../../dist/cli/main.js");

/** What a command printed, and how it ended. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built command with these settings and no others. @param folder its working directory. Default: that of the tests */
export async function run(args: readonly string[], environment: Record<string, string>, folder?: string): Promise<Ended> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(PLATFORM|ACTIONS)_/.test(name));
  const env = { ...Object.fromEntries(inherited), ...environment };
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], { env, cwd: folder }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}
