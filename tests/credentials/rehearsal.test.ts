import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { PlatformError } from "../../provider/client/errors";
import { send } from "../../provider/client/http";
import { acceptRehearsal, rehearsal } from "../../provider/client/rehearsal";
import { connect, readConfiguration } from "../../provider/credentials";
import { configurationOf, type Settings } from "../../provider/host/explicit-provider";
import { group } from "../../provider/kinds/list";
import { scratchFolder } from "../support/scratch-folder";
import { TestPlatform } from "../support/test-platform";

const address = "https://platform.example";
const platform = TestPlatform.forFile();
const folder = scratchFolder();
const environment = process.env;

let value: string;
beforeEach(async () => {
  const token = (await readFile(platform.oidcTokenFile, "utf8")).trim();
  value = JSON.stringify({ copy: platform.baseUrl, standsFor: [address, "https://login.example"], token });
  process.env = { ...environment, PLATFORM_REHEARSAL: value };
  await platform.clearRequests();
});
afterEach(() => {
  process.env = environment;
});

const stack = (): Settings => ({
  "platform:baseUrl": address,
  "platform:authUrl": "https://login.example/",
  "platform:audience": platform.baseUrl,
  "platform:identity": platform.identity,
});

/** The error of `work`. */
async function refusal(work: () => unknown): Promise<PlatformError> {
  try {
    await work();
  } catch (error) {
    if (PlatformError.isInstance(error)) return error;
    throw error;
  }
  throw new Error("no error");
}

const sent = (url: string) => send({ method: "GET", url: new URL(url), timeoutMs: 1_000 });

/** Every request, those for tokens included. */
const requests = async () => (await platform.admin("GET", "requests"))["requests"];

// First in this file: nothing withdraws an acceptance.
test("a process that accepts no rehearsal reads no configuration and sends nothing", async () => {
  const source = { PLATFORM_TOKEN: "token", PLATFORM_REHEARSAL: value };
  const errors = [await refusal(() => readConfiguration(stack(), source)), await refusal(() => sent(platform.baseUrl))];
  expect(errors.map(({ code }) => code)).toEqual(["CONFIGURATION", "CONFIGURATION"]);
  expect(errors[0]?.message).toContain("PLATFORM_REHEARSAL is set");
  expect(await requests()).toEqual([]);
});

describe("in a rehearsal", () => {
  beforeAll(acceptRehearsal);

  test("requests for the API and for tokens go to the copy, and errors name the address of the platform", async () => {
    const client = connect(readConfiguration(stack(), process.env));
    expect((await client.list(group.collection, { inRoot: true })).map(({ uid }) => uid)).toEqual([platform.root]);
    const missing = await refusal(() => sent("https://login.example:444/"));
    expect(missing.message).toBe("https://login.example:444 has no copy in this rehearsal, so nothing was sent there.");
    process.env["PLATFORM_REHEARSAL"] = value.replace(platform.baseUrl, "http://127.0.0.1:1");
    expect((await refusal(() => sent(`${address}/iam`))).message).toBe(`GET ${address}/iam: cannot connect (ECONNREFUSED).`);
  });

  test.each([
    "https://other.example",
    "http://127.0.0.1:1",
    "https://platform.example.evil.example",
    "https://platform.example:8443",
  ])("%s is no address of the copy: nothing is sent", async (other) => {
    const configuration = readConfiguration(
      { ...stack(), "platform:baseUrl": other, "platform:authUrl": undefined },
      process.env,
    );
    const error = await refusal(() => connect(configuration).list(group.collection, { inRoot: true }));
    expect(error.message).toContain(`${new URL(other).origin} has no copy`);
    expect(await requests()).toEqual([]);
  });

  test.each([
    ["platform:oidcTokenFile", "/no/such/file", {}],
    ["platform:tokenCommand", "touch ran", {}],
    ["platform:adopt", "false", { PLATFORM_TOKEN: "of-somebody" }],
    ["platform:adopt", "false", { PLATFORM_OIDC_TOKEN: "of-somebody" }],
    ["platform:adopt", "false", { PLATFORM_TOKEN_COMMAND: "touch ran" }],
    ["platform:adopt", "false", { ACTIONS_ID_TOKEN_REQUEST_URL: "https://github.example", ACTIONS_ID_TOKEN_REQUEST_TOKEN: "t" }],
    ["platform:oidcAudience", "https://an-audience.example", {}],
  ])("the copy's token replaces %s=%s and %p: no file is read, no command runs", async (key, setting, variables) => {
    const command = setting.replace("ran", path.join(folder, "ran"));
    const named = { ...stack(), [key]: command };
    for (const own of [{}, { "platform:arguments": key.replace("platform:", "") }]) {
      const configuration = configurationOf({ ...named, ...own }, { ...process.env, ...variables });
      expect(configuration.credentials.origin).toBe("the rehearsal");
      expect(await connect(configuration).list(group.collection, { inRoot: true })).toHaveLength(1);
    }
    expect(existsSync(path.join(folder, "ran"))).toBe(false);
  });

  test("readOnly is not applied, because the copy accepts the identity that runs `up`", () => {
    const variables = {
      ...process.env,
      PLATFORM_READ_ONLY: "true",
      PLATFORM_READ_ONLY_IDENTITY: `${platform.root}/00000000000000aa`,
    };
    expect(readConfiguration(stack(), variables)).toMatchObject({ readOnly: false, identity: platform.identity });
  });

  test.each([
    ["", "no", "[]", "{}"],
    [{ copy: "http://127.0.0.1:1@evil.example" }, { copy: "https://127.0.0.1:1" }, { copy: "http://127.0.0.1:99999" }],
    [{ standsFor: ["https://platform.example/path"] }, { standsFor: "x" }, { token: "" }, { token: 1 }],
  ])("a value that is malformed is no ordinary run: %p", async (...values) => {
    for (const wrong of values.flat()) {
      const text = typeof wrong === "string" ? wrong : JSON.stringify({ ...(JSON.parse(value) as object), ...wrong });
      expect((await refusal(() => rehearsal({ PLATFORM_REHEARSAL: text }))).message).toContain("PLATFORM_REHEARSAL is malformed");
    }
  });
});

test("without the variable, an address is its own destination", async () => {
  delete process.env["PLATFORM_REHEARSAL"];
  expect((await sent(`${platform.baseUrl}/ping/v2beta1/ping`)).status).toBe(200);
});
