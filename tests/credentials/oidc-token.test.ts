import { symlinkSync, writeFileSync } from "node:fs";
import fs from "node:fs/promises";
import { dirname } from "node:path";
import type { Timing } from "../../provider/client/retry";
import { createTokenSource } from "../../provider/credentials";
import { type Answer, deadServer, type Reaction, startServer } from "../support/http-double";
import { claims, configuration, goodOidcToken, jwt, seconds, tokenFile } from "./support";
import { expectFailure } from "../support/failures";

const exchanged = { body: { token: "api-token-1", refreshToken: "", expiry: null } };

/** A platform that exchanges every token, and the tokens of `environment` there. */
async function exchangeWith(environment: Record<string, string>, timing: Partial<Timing> = {}) {
  const platform = await startServer(() => exchanged);
  return { platform, tokens: createTokenSource(configuration(platform.url, environment), { timing }) };
}

/** The error before any token is sent to the platform. */
async function refusalOf(environment: Record<string, string>): Promise<string> {
  const { platform, tokens } = await exchangeWith(environment);
  const error = await expectFailure(tokens.token(), "CREDENTIALS");
  expect(platform.seen.filter(({ token }) => token !== "")).toEqual([]);
  return error.message;
}

describe("an OIDC token file", () => {
  test("is read again at each exchange", async () => {
    const [first, second] = [goodOidcToken({ jti: "1" }), goodOidcToken({ jti: "2" })];
    const file = tokenFile(`${first}\n`);
    const { platform, tokens } = await exchangeWith({ PLATFORM_OIDC_TOKEN_FILE: file });
    await tokens.token();
    writeFileSync(file, second);
    tokens.forget("api-token-1");
    await tokens.token();
    expect(platform.seen.map(({ token }) => token)).toEqual([first, second]);
  });

  test.each([
    ["missing", () => "/no/such/token", "does not exist"],
    ["empty", () => tokenFile(" \n"), "is empty"],
    ["a folder", () => dirname(tokenFile("")), "not a regular file"],
    ["too long", () => tokenFile("x".repeat(70_000)), "too long"],
    ["no JSON Web Token", () => tokenFile("opaque"), "not a JSON Web Token"],
    ["readable by all", () => tokenFile(goodOidcToken(), 0o644), "chmod 600"],
    ["writable by all", () => tokenFile(goodOidcToken(), 0o602), "chmod 600"],
  ])("that is %s is an error with the path's setting", async (_, makeFile, why) => {
    const file = makeFile();
    const message = await refusalOf({ PLATFORM_OIDC_TOKEN_FILE: file });
    expect(message).toContain("PLATFORM_OIDC_TOKEN_FILE");
    expect(message).toContain(why);
  });

  test("readable by all behind a symbolic link on a read-only mount is taken, as Kubernetes projects it", async () => {
    const file = tokenFile(goodOidcToken(), 0o444);
    symlinkSync("token", `${file}-link`);
    // Root may write everywhere but there, so only the answer of the file system can be played.
    const access = jest.spyOn(fs, "access").mockRejectedValueOnce(Object.assign(new Error("read-only"), { code: "EROFS" }));
    const { tokens } = await exchangeWith({ PLATFORM_OIDC_TOKEN_FILE: `${file}-link` });
    expect(await tokens.token()).toBe("api-token-1");
    expect(access).toHaveBeenCalledTimes(1);
    access.mockRestore();
  });
});

describe("an OIDC token", () => {
  describe("that has expired by the clock of this machine", () => {
    const ahead = () => Date.now() + 7_200_000;
    const lateTokens = async (answer: Answer = exchanged) => {
      const platform = await startServer(({ token }) => (token === "" ? { ...answer, status: 401 } : exchanged));
      const settings = configuration(platform.url, { PLATFORM_OIDC_TOKEN: goodOidcToken() });
      return { platform, tokens: createTokenSource(settings, { now: ahead }) };
    };

    test("is sent if the platform's clock says otherwise, which then counts", async () => {
      const { platform, tokens } = await lateTokens();
      expect(await tokens.token()).toBe("api-token-1");
      tokens.forget("api-token-1");
      await tokens.token();
      expect(platform.seen.map(({ token }) => token !== "")).toEqual([false, true, true]);
    });

    test("is sent if the platform tells no time, so that the platform judges it", async () => {
      const { tokens } = await lateTokens({ isUndated: true });
      expect(await tokens.token()).toBe("api-token-1");
    });

    test("is an error of the connection if the platform does not answer", async () => {
      const { url } = await deadServer();
      const settings = configuration(url, { PLATFORM_OIDC_TOKEN: goodOidcToken() });
      await expectFailure(
        createTokenSource(settings, { now: ahead, timing: { firstDelayMs: 1 } }).token(),
        "CREDENTIALS",
        "cannot connect",
      );
    });
  });

  test("that has expired by the platform's clock is not sent", async () => {
    const message = await refusalOf({ PLATFORM_OIDC_TOKEN: goodOidcToken({ exp: Date.UTC(2020, 1, 2) / 1000 }) });
    expect(message).toContain("PLATFORM_OIDC_TOKEN expired at 2020-02-02T00:00:00.000Z");
  });

  test.each([
    ["another audience", { aud: "other.example.com" }],
    ["several other audiences", { aud: ["other.example.com", "more.example.com"] }],
    ["no audience", { aud: undefined }],
  ])("for %s is not sent where one was asked for", async (_, more) => {
    const message = await refusalOf({ PLATFORM_OIDC_TOKEN: goodOidcToken(more), PLATFORM_OIDC_AUDIENCE: "wanted.example.com" });
    expect(message).toContain('not for "wanted.example.com"');
    expect(message).toContain("PLATFORM_OIDC_AUDIENCE");
  });

  test.each([
    ["its audience is asked for", { aud: "https://wanted.example.com" }, "https://wanted.example.com/"],
    ["its audience is one of several", { aud: ["a", "https://wanted.example.com/"] }, "https://wanted.example.com"],
    ["no audience is asked for", { aud: "anything" }, ""],
    ["it states no end", { exp: undefined }, ""],
  ])("is sent where %s", async (_, more, audience) => {
    const { tokens } = await exchangeWith({ PLATFORM_OIDC_TOKEN: goodOidcToken(more), PLATFORM_OIDC_AUDIENCE: audience });
    expect(await tokens.token()).toBe("api-token-1");
  });
});

describe("GitHub Actions", () => {
  async function jobWith(answer: (count: number) => Reaction) {
    const github = await startServer((_, count) => answer(count));
    const environment = {
      ACTIONS_ID_TOKEN_REQUEST_URL: `${github.url}/idtoken/1?api-version=2.0`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: "github-request-token",
    };
    return { github, ...(await exchangeWith(environment, { firstDelayMs: 1 })) };
  }

  test("mints a token for the audience at each exchange", async () => {
    const exp = seconds(300);
    const minted = (count: number) => jwt({ ...claims, exp, jti: String(count) });
    const { github, platform, tokens } = await jobWith((count) => ({ body: { count: 1, value: minted(count) } }));
    await tokens.token();
    tokens.forget("api-token-1");
    await tokens.token();
    expect(github.seen).toHaveLength(2);
    expect(github.seen[0]).toMatchObject({ path: "/idtoken/1", token: "github-request-token" });
    expect(github.seen[0]?.query.get("api-version")).toBe("2.0");
    expect(github.seen[0]?.query.get("audience")).toBe(new URL(platform.url).host);
    expect(platform.seen.map(({ token }) => token)).toEqual([minted(1), minted(2)]);
  });

  test.each([
    ["503 of a proxy", { status: 503, body: "busy" }],
    ["500 with a text", { status: 500, body: "Internal Server Error" }],
    ["500 with an error of GitHub", { status: 500, body: { $id: "1", message: "VssServiceException", typeName: "x" } }],
    ["403 of a job that has just started", { status: 403, body: { message: "job is pending" } }],
    ["200 without a body", { body: "" }],
    ["200 with an empty token", { body: { value: "" } }],
  ])("is asked again after %s", async (_, fault) => {
    const { github, tokens } = await jobWith((count) => (count < 3 ? fault : { body: { value: goodOidcToken() } }));
    expect(await tokens.token()).toBe("api-token-1");
    expect(github.seen).toHaveLength(3);
  });

  test.each([
    ["a text", { status: 500, body: "the broker\nis restarting" }, "HTTP 500: the broker is restarting."],
    ["JSON", { status: 403, body: { message: "run 7 is pending" } }, "HTTP 403: run 7 is pending."],
    ["an error of OAuth", { status: 400, body: { error: "bad", error_description: "no audience" } }, "HTTP 400: no audience."],
    ["nothing", { status: 500, body: "" }, "HTTP 500."],
    ["JSON without end", { status: 500, body: `${'{"error":'.repeat(100_000)}1${"}".repeat(100_000)}` }, "HTTP 500."],
    ["a page", { status: 502, body: "<html>Bad gateway</html>" }, "HTTP 502 with a page."],
    ["an empty success", { body: "" }, "HTTP 200 without a body."],
  ])("that fails with %s: the error quotes it", async (_, answer, text) => {
    const { tokens } = await jobWith(() => ({ headers: { "content-type": "text/plain" }, ...answer }));
    await expectFailure(tokens.token(), "CREDENTIALS", text);
  });

  test.each([
    ["in a text", `minted opaque${"x".repeat(40)} and ${goodOidcToken()}`],
    ["in a member", { message: `minted ${goodOidcToken()}`, value: "opaque-token" }],
    ["without a message", { value: "opaque-token" }],
  ])("that fails with a token %s: the error has no token", async (_, body) => {
    const { tokens } = await jobWith(() => ({ status: 500, body }));
    const { message } = await expectFailure(tokens.token(), "CREDENTIALS", "HTTP 500");
    expect(message).not.toMatch(/opaque|eyJ/);
  });

  test.each([
    ["500", { status: 500, body: "x" }],
    ["an empty 200", { body: "" }],
    ["a lost connection", "reset" as const],
  ])("that fails for long with %s: the advice is to run again, and blames no permission", async (_, answer) => {
    const { tokens } = await jobWith(() => answer);
    const { message } = await expectFailure(tokens.token(), "CREDENTIALS", "Run the job again");
    expect(message).not.toContain("id-token: write");
  });

  test.each([
    ["refuses", { status: 403, body: { message: "no permission" } }],
    ["answers a page", { body: "<html>" }],
    ["answers without a token", { body: { count: 0 } }],
  ])("that %s is an error that names the permission", async (_, answer) => {
    const { platform, tokens } = await jobWith(() => answer);
    const error = await expectFailure(tokens.token(), "CREDENTIALS", "id-token: write");
    expect(error.message).not.toContain("github-request-token");
    expect(platform.seen).toEqual([]);
  });
});
