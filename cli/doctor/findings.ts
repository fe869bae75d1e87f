import type { ApiVersion } from "../../provider/client/api-version";
import { list } from "../../provider/client/printable";
import type { TokenFacts } from "../../provider/client/token-source";
import type { Configuration } from "../../provider/credentials";
import type { Finding } from "../documents/doctor";

/** A token is renewed a minute before it expires, so a clock that is off by half a minute works everywhere. */
const tolerableMs = 30_000;

/** Issuers and platforms tolerate little more before they reject tokens as expired or not yet valid. */
const brokenMs = 300_000;

/** A run may take longer than this, so a token that is not renewed should have more time left. */
const shortLifeMs = 600_000;

/**
 * The difference between the clock here and the clock of the platform.
 *
 * @param server milliseconds since 1970 by the `Date` of an answer, which has whole seconds; undefined without one
 */
export function clockFinding(server: number | undefined, now: number): Finding {
  const check = "clock";
  if (server === undefined)
    return { check, status: "warning", message: "The platform's responses have no date to compare with." };
  const [off, seconds] = [Math.abs(now - server), Math.round(Math.abs(now - server) / 1000)];
  if (off <= tolerableMs) return { check, status: "ok", message: "The clock agrees with the platform's." };
  return {
    check,
    status: off > brokenMs ? "problem" : "warning",
    message: `The clock is ${seconds} s ${now > server ? "ahead of" : "behind"} the platform's: tokens seem expired, or not valid yet.`,
    fix: "Synchronise the clock of this machine (NTP).",
  };
}

/** The variables without effect, which a user may take for the cause of what a run does. */
export function overriddenFindings({ overridden = [] }: Pick<Configuration, "overridden">): Finding[] {
  const fix = "Unset the variable, or remove the key with `pulumi config rm`.";
  return overridden.map((message) => ({ check: "configuration", status: "warning", message, fix }));
}

/** Whether the platform serves the API version of the settings. */
export function versionFinding(configured: ApiVersion | "auto", served: readonly ApiVersion[]): Finding {
  const check = "API version";
  const all = list(served);
  if (served.length === 0)
    return {
      check,
      status: "problem",
      message: "The address serves no known version of the API.",
      fix: "Check the API address.",
    };
  if (configured === "auto" || served.includes(configured))
    return { check, status: "ok", message: `${configured} is set; the platform serves ${all}.` };
  return {
    check,
    status: "problem",
    message: `${configured} is set, but the platform serves ${all}.`,
    fix: `Set apiVersion to ${served[0] ?? ""}, or to auto.`,
  };
}

/**
 * The remaining lifetime of the API token.
 *
 * @param isRenewed whether the source gives another token in time
 */
export function tokenFinding({ expiresAt }: TokenFacts, isRenewed: boolean, now: number): Finding {
  const check = "token";
  if (expiresAt === undefined) return { check, status: "ok", message: "There is an API token; its expiry is unknown." };
  const message = `There is an API token, until ${new Date(expiresAt).toISOString()}.`;
  if (isRenewed || expiresAt - now >= shortLifeMs) return { check, status: "ok", message };
  const fix = "Get a new one before a long run, or set PLATFORM_OIDC_TOKEN_FILE, whose tokens are renewed.";
  return { check, status: "warning", message, fix };
}

/**
 * Whether the engine is new enough.
 *
 * @param version the output of `pulumi version`; undefined without a Pulumi CLI
 */
// See docs/contributing/engine.md#engine-lookup.
export function engineFinding(version: string | undefined): Finding {
  if (version !== undefined)
    return versionAtLeast("Pulumi CLI", version.trim().replace(/^v/, ""), [3, 226, 1], "Install 3.226.1 or newer.");
  const message = "The Pulumi CLI `pulumi` does not run.";
  return { check: "Pulumi CLI", status: "warning", message, fix: "Install it, and put it on PATH, to run programs here." };
}

/** Whether the Node.js language host, which runs programs, is on PATH. */
export function languageHostFinding(isThere: boolean): Finding {
  const check = "language host";
  if (isThere) return { check, status: "ok", message: "pulumi-language-nodejs is on PATH." };
  return {
    check,
    status: "warning",
    message: "pulumi-language-nodejs is not on PATH: programs in TypeScript do not run.",
    fix: "Install the full Pulumi CLI, which has it, and put its folder on PATH.",
  };
}

function versionAtLeast(check: string, version: string, least: readonly number[], fix: string): Finding {
  const parts = /^(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number);
  if (parts === undefined) return { check, status: "warning", message: "Its version cannot be read.", fix };
  const first = parts.findIndex((part, index) => part !== least[index]);
  const isEnough = first < 0 || (parts[first] ?? 0) > (least[first] ?? 0);
  const message = `Version ${parts.join(".")}.`;
  return isEnough ? { check, status: "ok", message } : { check, status: "problem", message, fix };
}
