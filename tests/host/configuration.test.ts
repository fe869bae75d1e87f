import type { ServiceError } from "@grpc/grpc-js";
import { TestPlatform } from "../support/test-platform";
import { Host } from "./processes";

const platform = TestPlatform.forFile();
let host: Host | undefined;

afterEach(async () => {
  await host?.close();
  await platform.clearFaults();
});

const news = { parentUid: "a/b", name: "team" };
const stack = /^\s+at /m;

test("all configuration problems are one failure of the check, printed once", async () => {
  const token = await platform.apiToken();
  host = await Host.start({}, { "platform:baseURL": platform.baseUrl, "platform:apiVersion": "v3", "platform:token": token });
  for (const kind of ["group", "identity"]) {
    const { failures } = await host.check(kind, "it", news);
    expect(failures).toEqual([["", expect.any(String)]]);
    const reason = failures[0]?.[1];
    for (const part of ["platform:baseUrl", "platform:apiVersion", "PLATFORM_TOKEN"]) expect(reason).toContain(part);
    expect(reason).not.toContain(token);
  }
  expect(host.output).toBe("");
});

test("without a configuration nothing else works either, and no stack is printed", async () => {
  host = await Host.start({});
  const calls = [host.create("group", news), host.read("group", "a/b", news), host.delete("group", "a/b", news)];
  for (const call of calls)
    await expect(call).rejects.toMatchObject({ details: expect.stringContaining("PLATFORM_BASE_URL") as string });
  expect(host.output).not.toMatch(stack);
});

test("no token is ever printed or reported, even if an answer contains it", async () => {
  const token = await platform.apiToken();
  host = await Host.start({ PLATFORM_BASE_URL: platform.baseUrl, PLATFORM_TOKEN: token });
  const body = `<html>Authorization: Bearer ${token} ${token}</html>`;
  await platform.fault({ path: "^/iam/" }, { status: 400, body, contentType: "text/html" }, { times: 2 });
  await platform.fault({ path: "^/iam/" }, { status: 403, code: 7, message: `refused ${token}` }, { times: 0 });
  const props = { parentUid: platform.root, name: "team", description: token.slice(0, 20) };
  const errors = await Promise.allSettled([
    host.read("group", `${platform.root}/a`, props),
    host.read("group", `${platform.root}/b`),
    host.delete("group", `${platform.root}/a`, props),
    host.create("group", props),
    host.update("group", `${platform.root}/a`, props, { ...props, name: "other" }),
  ]);
  expect(errors.map(({ status }) => status)).toEqual(Array(5).fill("rejected"));
  const shown = errors.map((error) => (error as { reason: ServiceError }).reason.details).join("\n") + host.output;
  expect(shown).not.toContain(token);
  expect(shown).not.toContain(token.split(".")[2]);
  expect(shown).toContain("[redacted]");
  expect(host.output).not.toMatch(stack);
});

test("an OIDC token that the exchange rejects is not printed", async () => {
  const oidcToken = await platform.oidcToken({ subject: "stranger" });
  host = await Host.start({
    PLATFORM_BASE_URL: platform.baseUrl,
    PLATFORM_OIDC_TOKEN: oidcToken,
    PLATFORM_IDENTITY: platform.identity,
  });
  const error = await host.read("group", platform.root).catch((reason: unknown) => reason as ServiceError);
  const shown = JSON.stringify(error) + host.output;
  expect(shown).toContain("stranger");
  expect(shown).not.toContain(oidcToken);
  expect(shown).not.toMatch(/eyJ[\w-]+\.eyJ/);
});
