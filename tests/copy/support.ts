import { copyOrganization, type CopyOptions, type OrganizationCopy } from "../../copy";
import { connect, readConfiguration } from "../../provider/credentials";
import { call, type Reply, type TestPlatform } from "../support/test-platform";

/** A client of a platform as its owner, or as another identity. */
export async function clientOf(platform: TestPlatform, identity = platform.identity) {
  return connect(
    readConfiguration(undefined, {
      PLATFORM_BASE_URL: platform.baseUrl,
      PLATFORM_IDENTITY: identity,
      PLATFORM_TOKEN: await platform.apiToken({ identity }),
    }),
  );
}

/** A copy of the organisation of a platform, read as its owner unless another reader is named. */
export async function copyOf(
  platform: TestPlatform,
  { reader, ...options }: Partial<CopyOptions> & { reader?: string } = {},
): Promise<OrganizationCopy> {
  return copyOrganization({
    client: await clientOf(platform, reader),
    standsInFor: { baseUrl: platform.baseUrl, authUrl: platform.emulator.authUrl, audience: platform.baseUrl },
    organizations: [platform.root],
    ...options,
  });
}

/** Calls the API of a copy as one of its identities. */
export async function callCopy(
  copy: OrganizationCopy,
  platform: TestPlatform,
  method: string,
  path: string,
  { body, identity = platform.identity }: { body?: unknown; identity?: string } = {},
): Promise<Reply> {
  const { body: exchanged } = await exchangeAt(copy.origin, copy.token, { aud: platform.baseUrl, identity });
  return call(method, copy.origin + path, body, { authorization: `Bearer ${String(exchanged["token"])}` });
}

/** Exchanges a token at an address. */
export function exchangeAt(origin: string, token: string, parameters: Record<string, string>): Promise<Reply> {
  const query = new URLSearchParams(parameters).toString();
  return call("GET", `${origin}/sts/exchange?${query}`, undefined, { authorization: `Bearer ${token}` });
}
