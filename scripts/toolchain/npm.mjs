import { run } from "../lib/child.mjs";

/** Variables of an outer npm (`npm pack --dry-run`, `npm --silent test`) that must not affect an inner install. */
const OUTER_ONLY = [
  "dry_run",
  "json",
  "omit",
  "only",
  "production",
  "global",
  "workspace",
  "workspaces",
  "package_lock_only",
  "loglevel",
];

/** Longer than any install takes, unless npm waits for a dead connection. */
const LONGEST_MS = 10 * 60_000;

/** Runs npm with the first Node on PATH, and once more if it hangs. Options as for `run`. */
export async function npm(args, { timeoutMs = LONGEST_MS, ...options } = {}) {
  const env = { ...process.env };
  for (const name of OUTER_ONLY) delete env[`npm_config_${name}`];
  delete env["NODE_ENV"];
  const attempt = () => run("npm", [...args, "--no-audit", "--no-fund", "--no-update-notifier"], { ...options, env, timeoutMs });
  const first = await attempt();
  return first.timedOut ? attempt() : first;
}
