import * as pulumi from "@pulumi/pulumi";
import { claimsOf } from "../../provider/credentials/jwt";
import { redact } from "../../provider/client/redact";
import { getRegistryCredentials, getRegistryCredentialsOutput } from "../../sdk/functions";
import { runErrorOf, settled, usePlatform } from "./support";

const { platform, configure } = usePlatform();
const registry = "registry.example.com:5000";

beforeEach(async () => {
  configure();
  await platform.clearRequests();
});

test("the password is a token of the identity for the registry, which the API rejects", async () => {
  const found = await getRegistryCredentials({ registry });
  expect(found).toMatchObject({ registry, username: "_token" });
  expect(claimsOf(found.password)).toMatchObject({ aud: [registry], sub: platform.identity });
  expect(Date.parse(found.expiry)).toBe(Number(claimsOf(found.password)?.exp) * 1000);
  const response = await fetch(`${platform.baseUrl}/iam/v2beta1/groups`, {
    headers: { authorization: `Bearer ${found.password}` },
  });
  expect(response.status).toBe(401);
});

test("identity and user name are as asked", async () => {
  const own = (await platform.objects("identities")).find(({ uid }) => uid === platform.identity);
  const { uid } = await platform.create("identities", platform.root, { name: "puller", claimMatch: own?.["claimMatch"] });
  const found = await getRegistryCredentials({ registry, identity: uid, username: "puller" });
  expect(found.username).toBe("puller");
  expect(claimsOf(found.password)).toMatchObject({ sub: uid });
});

test("the Output form is secret, and no message shows a token", async () => {
  const output = getRegistryCredentialsOutput({ registry });
  expect(await pulumi.isSecret(output)).toBe(true);
  const { value } = await settled(output);
  const password = value?.password ?? "";
  expect(claimsOf(password)).toMatchObject({ aud: [registry] });
  expect(redact(`it was ${password}`)).not.toContain(password);
});

test("an API token cannot be exchanged: the error names what to set, and nothing is sent", async () => {
  const token = await platform.apiToken();
  delete process.env["PLATFORM_OIDC_TOKEN_FILE"];
  process.env["PLATFORM_TOKEN"] = token;
  const message = await runErrorOf(getRegistryCredentials({ registry }));
  for (const part of ["PLATFORM_TOKEN", "cannot be exchanged", "PLATFORM_OIDC_TOKEN_FILE"]) expect(message).toContain(part);
  expect(message).not.toContain(token);
});

test("an identity that the token may not assume is an error", async () => {
  const message = await runErrorOf(getRegistryCredentials({ registry, identity: `${platform.root}/0000000000000000` }));
  expect(message).toContain("does not exist");
  expect(message).toContain(registry);
});

test.each([
  [{}, "for which registry"],
  [{ registry: "https://registry.example.com" }, "must be the host of the registry"],
  [{ registry: "registry.example.com/repo" }, "must be the host of the registry"],
  [{ registry: "" }, "must not be empty"],
  [{ registry, identity: "not a uid" }, "is not a uid"],
  [{ registry, user: "x" }, "is not an argument"],
])("%j is rejected before anything is sent", async (args, message) => {
  expect(await runErrorOf(getRegistryCredentials(args as never))).toContain(message);
});
