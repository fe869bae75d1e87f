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

/** Runs npm with the Node that is first on PATH; options as for `run`. */
export function npm(args, options) {
  const env = { ...process.env };
  for (const name of OUTER_ONLY) delete env[`npm_config_${name}`];
  delete env["NODE_ENV"];
  return run("npm", [...args, "--no-audit", "--no-fund", "--no-update-notifier"], { ...options, env });
}
