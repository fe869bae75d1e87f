import { readFileSync } from "node:fs";
import path from "node:path";
import { Host } from "../host/processes";
import { FaultProxy } from "../support/fault-proxy";
import { failedCreateIn } from "../support/plugin-client";
import { failureOf } from "../support/resource-fixture";
import { TestPlatform } from "../support/test-platform";

const certificates = path.join(__dirname, "certificates");
const pem = (name: string) => readFileSync(path.join(certificates, `${name}.pem`));

const platform = TestPlatform.forFile();
const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** The platform behind TLS with the certificate `name`, on localhost. */
async function secured(name: string): Promise<{ url: string; requests: () => number }> {
  const proxy = await FaultProxy.start(platform.baseUrl, { cert: pem(name), key: pem(`${name}.key`) });
  closing.push(() => proxy.close());
  return { url: proxy.baseUrl, requests: () => proxy.asked.length };
}

/** Creates a group by a provider host with these variables, as the engine does. */
async function createGroup(baseUrl: string, environment: Record<string, string>, name: string) {
  const { PLATFORM_IDENTITY: _identity, PLATFORM_OIDC_TOKEN_FILE: _file, ...rest } = platform.environment;
  const token = await platform.apiToken();
  const host = await Host.start({ ...rest, PLATFORM_BASE_URL: baseUrl, PLATFORM_TOKEN: token, ...environment });
  closing.push(() => host.close());
  const { inputs, failures } = await host.check("group", "it", { parentUid: platform.root, name });
  expect(failures).toEqual([]);
  return host.create("group", inputs);
}

const trusted = { NODE_EXTRA_CA_CERTS: path.join(certificates, "authority.pem") };

test("a server of a private authority is trusted where NODE_EXTRA_CA_CERTS names that authority", async () => {
  const server = await secured("server");
  const { id } = await createGroup(server.url, trusted, "by-tls");
  expect((await platform.named("groups", "by-tls")).uid).toBe(id);
  expect(server.requests()).toBeGreaterThan(0);
});

test.each<[string, string, Record<string, string>, RegExp]>([
  ["an unknown authority", "server", {}, /certificate is not trusted.*set NODE_EXTRA_CA_CERTS/],
  ["another host name", "other-host", trusted, /certificate is for another host name\. Check the address/],
  ["the past", "expired", trusted, /certificate has expired\. Renew it/],
])("a certificate of %s is rejected before anything is sent", async (_what, certificate, environment, message) => {
  const server = await secured(certificate);
  const error = await failureOf(createGroup(server.url, environment, "never-made"));
  expect(error["details"]).toMatch(message);
  expect(server.requests()).toBe(0);
  expect(await platform.groupNames()).not.toContain("never-made");
});

test.each([
  ["server", trusted],
  ["expired", {}],
])("NODE_TLS_REJECT_UNAUTHORIZED=0 is rejected, whatever the certificate (%s, %j)", async (certificate, environment) => {
  const server = await secured(certificate);
  const off = { ...environment, NODE_TLS_REJECT_UNAUTHORIZED: "0" };
  const error = await failureOf(createGroup(server.url, off, "never-made"));
  expect(error["details"]).toMatch(/NODE_TLS_REJECT_UNAUTHORIZED=0 lets any server impersonate this one\. Unset it/);
  expect(failedCreateIn(error as never)).toBeUndefined();
  expect(server.requests()).toBe(0);
});
