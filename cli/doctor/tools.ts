import { execFile } from "node:child_process";
import { access, constants } from "node:fs/promises";
import path from "node:path";
import type { Finding } from "../documents/doctor";
import { engineFinding, languageHostFinding } from "./findings";

/** The versions of the engine and its language host on PATH. */
export async function toolFindings(): Promise<Finding[]> {
  const version = await engineVersion();
  const engine = engineFinding(version);
  return version === undefined ? [engine] : [engine, languageHostFinding(await isOnPath("pulumi-language-nodejs"))];
}

/** The output of `pulumi version`; undefined without a Pulumi CLI on PATH. */
export function engineVersion(): Promise<string | undefined> {
  const environment = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" };
  return new Promise((resolve) => {
    execFile("pulumi", ["version"], { env: environment, timeout: 30_000 }, (error, stdout) =>
      resolve(error === null ? stdout : undefined),
    );
  });
}

async function isOnPath(program: string): Promise<boolean> {
  const name = process.platform === "win32" ? `${program}.exe` : program;
  const folders = (process.env["PATH"] ?? "").split(path.delimiter);
  const found = await Promise.all(
    folders.map(async (folder) =>
      access(path.join(folder, name), constants.X_OK).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}
