import { bounds } from "./bounds";
import { PlatformError } from "./errors";

/** The variable that makes a run a rehearsal. Its value is JSON, which only the command `rehearse` writes. */
export const rehearsalVariable = "PLATFORM_REHEARSAL";

/** A run against a copy of the organisation. Every request goes to the copy or is refused. */
export interface Rehearsal {
  /** Origin of the copy, on this machine: `http://127.0.0.1:PORT`. */
  readonly copy: string;
  /** The origins that the copy stands for, of the API and of the token exchange. */
  readonly standsFor: readonly string[];
  /** The token that the copy exchanges for an API token of any identity. It replaces every source of credentials. */
  readonly token: string;
}

let isAccepted = false;

/**
 * Declares that this process belongs to a rehearsal if the variable says so. Only the host of a rehearsal and the program call it. Any other
 * process could write changes into a real state that were made in the copy alone.
 */
export function acceptRehearsal(): void {
  isAccepted = true;
}

/**
 * The rehearsal to which this process belongs; undefined in an ordinary run.
 *
 * @throws PlatformError `CONFIGURATION` if this process accepts no rehearsal, or if the value is malformed
 */
export function rehearsal(environment: NodeJS.ProcessEnv = process.env): Rehearsal | undefined {
  const text = environment[rehearsalVariable];
  if (text === undefined) return undefined;
  if (!isAccepted)
    throw new PlatformError(
      "CONFIGURATION",
      `${rehearsalVariable} is set, so the changes of this run would be made in a copy only. Nothing was sent. Unset it: only \`pulumi-platform rehearse\` sets it.`,
    );
  const parsed = parse(text);
  if (parsed === undefined)
    throw new PlatformError("CONFIGURATION", `${rehearsalVariable} is malformed. Nothing was sent. Unset it.`);
  return parsed;
}

function parse(text: string): Rehearsal | undefined {
  try {
    const { copy, standsFor, token } = JSON.parse(text) as Record<keyof Rehearsal, unknown>;
    const isCopy = typeof copy === "string" && /^http:\/\/127\.0\.0\.1:\d{1,5}$/.test(copy) && URL.canParse(copy);
    if (!isCopy || typeof token !== "string" || token === "" || !isOrigins(standsFor)) return undefined;
    return { copy, standsFor, token };
  } catch {
    return undefined;
  }
}

function isOrigins(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string" && URL.parse(each)?.origin === each);
}

/**
 * The address to which a request for `url` is sent. An ordinary run sends it to `url` itself, and a rehearsal to the copy.
 *
 * @throws PlatformError `CONFIGURATION` if the copy does not stand for the origin of `url`, or if this process may not send anything there
 */
export function destination(url: URL): URL {
  const rehearsed = rehearsal();
  if (bounds()?.origins.includes(url.origin) === false)
    throw new PlatformError("CONFIGURATION", `${url.origin} is not an address of this bound run, so nothing was sent there.`);
  if (rehearsed === undefined) return url;
  if (rehearsed.standsFor.includes(url.origin)) return new URL(`${rehearsed.copy}${url.pathname}${url.search}`);
  throw new PlatformError("CONFIGURATION", `${url.origin} has no copy in this rehearsal, so nothing was sent there.`);
}
