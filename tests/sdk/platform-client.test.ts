import * as pulumi from "@pulumi/pulumi";
import { TestPlatform } from "../support/test-platform";
import { getGroup, getGroups } from "../../sdk";
import { platformClient } from "../../sdk/program/platform-client";
import { runErrorOf, useStack } from "./support";

const { configure } = useStack();
const [first, second] = [TestPlatform.forFile(), TestPlatform.forFile()];

test("one configuration has one client, and one token exchange for many concurrent calls", async () => {
  configure({}, first.environment);
  await first.clearRequests();
  await Promise.all(Array.from({ length: 20 }, () => getGroups()));
  const { requests } = (await first.admin("GET", "requests")) as { requests: { path: string }[] };
  expect(requests.filter((request) => request.path === "/sts/exchange")).toHaveLength(1);
  expect(platformClient()).toBe(platformClient());
});

test("another configuration has another client", async () => {
  configure({}, first.environment);
  const client = platformClient();
  configure({}, second.environment);
  expect(platformClient()).not.toBe(client);
  expect((await getGroups({ inRoot: true })).groups.map((group) => group.uid)).toEqual([second.root]);
});

test("the stack's configuration takes precedence over the environment, and is read when a data source is called", async () => {
  configure({ "platform:baseUrl": second.baseUrl }, { ...first.environment, PLATFORM_TOKEN: await second.apiToken() });
  delete process.env["PLATFORM_OIDC_TOKEN_FILE"];
  expect(await getGroup({ uid: second.root })).toMatchObject({ uid: second.root });
});

test("a configuration that is wrong is an error of the data source that says how to set it", async () => {
  configure({}, {});
  const message = await runErrorOf(getGroup({ uid: "a" }));
  expect(message).toMatch(/^getGroup: /);
  expect(message).toContain("PLATFORM_BASE_URL");
});

test("no token is in an error", async () => {
  const token = await second.apiToken({ expiresInSeconds: 3600 });
  await second.admin("POST", "revocations", {});
  configure({}, { PLATFORM_BASE_URL: second.baseUrl, PLATFORM_API_VERSION: "v2beta1", PLATFORM_TOKEN: token });
  const error: unknown = await getGroups().catch((reason: unknown) => reason);
  expect(pulumi.RunError.isInstance(error)).toBe(true);
  const { message, stack, cause } = error as Error;
  for (const text of [message, stack, String(cause)]) expect(text).not.toContain(token);
});
