import { run } from "../lib/child.mjs";

/** What an outer npm (`npm pack --dry-run`, `npm --silent test`) hands down in the environment and must not rule an inner install. */
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

/** No install takes this long: it waits for a connection that is dead. */
const LONGEST_MS = 10 * 60_000;

/** Runs npm with the Node that is first on PATH, once more if it gets stuck; options as for `run`. */
export async function npm(args, { timeoutMs = LONGEST_MS, ...options } = {}) {
  const env = { ...process.env };
  for (const name of OUTER_ONLY) delete env[`npm_config_${name}`];
  delete env["NODE_ENV"];
  const attempt = () => run("npm", [...args, "--no-audit", "--no-fund", "--no-update-notifier"], { ...options, env, timeoutMs });
  const first = await attempt();
  return first.timedOut ? attempt() : first;
}
