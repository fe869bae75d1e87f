import { execFile } from "node:child_process";
import type { Finding } from "../documents/doctor";
import { onPath } from "../shell/on-path";
import { engineFinding, languageHostFinding } from "./findings";

/** The versions of the engine and its language host on PATH. */
export async function toolFindings(): Promise<Finding[]> {
  const version = await engineVersion();
  const engine = engineFinding(version);
  return version === undefined ? [engine] : [engine, languageHostFinding((await onPath("pulumi-language-nodejs")) !== undefined)];
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
