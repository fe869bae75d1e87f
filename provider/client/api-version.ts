import { hasCode, PlatformError } from "./errors";
import { asSentence } from "./printable";

/**
 * A version of the API, which is the second segment of every path. The versions do not differ otherwise (docs/platform-api.md#versions).
 */
export type ApiVersion = (typeof apiVersions)[number];

/** The versions that this package speaks, in the order in which `auto` asks for them. */
export const apiVersions = ["v2", "v2beta1"] as const;

/**
 * The version that the platform at `baseUrl` serves, or `v2` if it serves both.
 *
 * @param get sends a GET of a path, which needs no token
 * @throws PlatformError `CONFIGURATION` if it serves neither; `NOT_CONNECTED` if the version cannot be determined. No other request was
 * sent.
 */
export async function servedVersion(baseUrl: string, get: (path: string) => Promise<unknown>): Promise<ApiVersion> {
  for (const version of apiVersions) {
    const serves = await isServed(version, get).catch((error: unknown) => {
      throw versionUnknown(error);
    });
    if (serves) return version;
  }
  const paths = apiVersions.map(pathOfPing).join(" and ");
  throw new PlatformError(
    "CONFIGURATION",
    `${baseUrl} serves no known version of the API: ${paths} are not found. Check the API address, or set apiVersion to ${apiVersions.join(" or ")} instead of auto. Nothing else was sent.`,
  );
}

/**
 * The known versions that the platform serves. If it serves one version, a 401 or 403 for another means that it does not serve the other,
 * because some proxies authenticate before they look at the path.
 *
 * @param get sends a GET of a path, which needs no token
 * @throws PlatformError if the versions cannot be determined
 */
export async function servedVersions(get: (path: string) => Promise<unknown>): Promise<ApiVersion[]> {
  const served: ApiVersion[] = [];
  const refusals: unknown[] = [];
  for (const version of apiVersions) {
    try {
      if (await isServed(version, get)) served.push(version);
    } catch (error) {
      if (!hasCode(error, "UNAUTHENTICATED", "PERMISSION_DENIED")) throw error;
      refusals.push(error);
    }
  }
  if (served.length === 0 && refusals.length > 0) throw refusals[0];
  return served;
}

/** False if the platform, or a proxy, does not know the path of the ping. @throws PlatformError */
async function isServed(version: ApiVersion, get: (path: string) => Promise<unknown>): Promise<boolean> {
  try {
    await get(pathOfPing(version));
    return true;
  } catch (error) {
    if (PlatformError.isInstance(error) && (error.code === "UNIMPLEMENTED" || error.status === 404)) return false;
    throw error;
  }
}

/** The path of a GET that needs no token. */
export function pathOfPing(version: ApiVersion): string {
  return `/ping/${version}/ping`;
}

/** The error of a call whose version cannot be determined. The call was not sent, so a create must not treat its outcome as unknown. */
function versionUnknown(error: unknown): unknown {
  if (!PlatformError.isInstance(error) || error.code === "CONFIGURATION" || error.code === "NOT_CONNECTED") return error;
  const text = `cannot find out which version of the API is served: ${asSentence(error.message)} Set apiVersion to ${apiVersions.join(" or ")} instead of auto, or run again.`;
  return new PlatformError("NOT_CONNECTED", text, { cause: error });
}
