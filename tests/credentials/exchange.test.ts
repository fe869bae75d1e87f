import { version } from "../../provider/client/version";
import { createTokenSource } from "../../provider/credentials";
import { errorOf } from "../client/support";
import { type Answer, deadServer, startServer } from "../support/http-double";
import { configuration, goodOidcToken } from "./support";
import { expectFailure } from "../support/failures";

const identity = "c0ffee/0123";
const oidcToken = goodOidcToken();
const timing = { firstDelayMs: 1 };
const success = { body: { token: "api-token-1", refreshToken: "", expiry: null } };

async function platformThat(answer: (count: number) => Answer, more: Record<string, string> = { PLATFORM_IDENTITY: identity }) {
  const platform = await startServer((_, count) => answer(count));
  const settings = configuration(platform.url, { PLATFORM_OIDC_TOKEN: oidcToken, ...more });
  return { platform, tokens: createTokenSource(settings, { timing }) };
}

describe("the exchange", () => {
  test("sends audience, identity and the OIDC token", async () => {
    const { platform, tokens } = await platformThat(() => success);
    expect(await tokens.token()).toBe("api-token-1");
    expect(platform.seen).toHaveLength(1);
    expect(platform.seen[0]).toMatchObject({ path: "/sts/exchange", token: oidcToken });
    expect(Object.fromEntries(platform.seen[0]?.query ?? [])).toEqual({ aud: platform.url, identity });
  });

  test("that fails by a fault of our own says so: the credentials are not to blame", async () => {
    const platform = await startServer(() => success);
    let looks = 0;
    // The first two come before the request.
    const now = () => {
      if (++looks > 2) throw new TypeError("a bug");
      return Date.now();
    };
    const tokens = createTokenSource(configuration(platform.url, { PLATFORM_OIDC_TOKEN: oidcToken }), { now });
    await expect(tokens.token()).rejects.toMatchObject({ name: "TypeError", message: "a bug" });
    expect(platform.seen).toHaveLength(1);
  });

  test("names the package and its version, as every request does", async () => {
    const { platform, tokens } = await platformThat(() => success);
    await tokens.token();
    expect(platform.seen[0]?.headers["user-agent"]).toBe(`pulumi-platform/${version}`);
  });

  test("goes to the token-issuing address, for the audience that is set, for no identity unless one is set", async () => {
    const issuing = await startServer(() => success);
    const { platform, tokens } = await platformThat(() => success, {
      PLATFORM_AUTH_URL: `${issuing.url}/auth/`,
      PLATFORM_AUDIENCE: "registry.example.com",
    });
    await tokens.token();
    expect(platform.seen).toEqual([]);
    expect(issuing.seen[0]?.path).toBe("/auth/sts/exchange");
    expect(Object.fromEntries(issuing.seen[0]?.query ?? [])).toEqual({ aud: "registry.example.com" });
  });

  test.each([
    ["429", { status: 429, body: { code: 8, message: "slow down", details: [] } }],
    ["502 of a proxy", { status: 502, body: "<html>" }],
    ["503", { status: 503, body: { code: 14, message: "unavailable", details: [] } }],
    ["504 of a proxy", { status: 504, body: "" }],
    ["a conflict", { status: 409, body: { code: 10, message: "aborted", details: [] } }],
    ["409 of a proxy", { status: 409, body: "<html>" }],
    ["UNAVAILABLE under another status", { status: 500, body: { code: 14, message: "unavailable", details: [] } }],
    ["an internal fault", { status: 500, body: { code: 13, message: "internal", details: [] } }],
    ["500 of a proxy", { status: 500, body: "oops" }],
    ["an empty success", { body: "" }],
    ["a short Retry-After", { status: 429, headers: { "retry-after": "0" }, body: { code: 8, message: "", details: [] } }],
  ])("is sent again after %s", async (_, fault) => {
    const { platform, tokens } = await platformThat((count) => (count < 3 ? fault : success));
    expect(await tokens.token()).toBe("api-token-1");
    expect(platform.seen).toHaveLength(3);
  });

  test("is given up after six attempts, as a call of the API is", async () => {
    const { platform, tokens } = await platformThat(() => ({
      status: 503,
      body: { code: 14, message: "maintenance", details: [] },
    }));
    await expectFailure(tokens.token(), "CREDENTIALS", "maintenance.\nTry again later.");
    expect(platform.seen).toHaveLength(6);
  });

  test("that fails inside is given up after six attempts, and no claim is to blame", async () => {
    const { platform, tokens } = await platformThat(() => ({ status: 500, body: { code: 13, message: "oops", details: [] } }));
    const { message } = await expectFailure(tokens.token(), "CREDENTIALS", "oops.\nTry again later.");
    expect(message).not.toContain("claimMatch");
    expect(platform.seen).toHaveLength(6);
  });

  test("is given up after six conflicts", async () => {
    const { platform, tokens } = await platformThat(() => ({ status: 409, body: { code: 10, message: "busy", details: [] } }));
    await expectFailure(tokens.token(), "CREDENTIALS", "busy.\nTry again later.");
    expect(platform.seen).toHaveLength(6);
  });

  test.each([
    [401, { code: 16, message: "token is not valid", details: [] }],
    [403, { code: 7, message: "subject does not match", details: [] }],
    [400, { code: 3, message: "missing audience", details: [] }],
  ])("rejected with %s is not sent again, and the error says what to check", async (status, body) => {
    const { platform, tokens } = await platformThat(() => ({ status, body }));
    const error = await expectFailure(tokens.token(), "CREDENTIALS");
    expect(platform.seen).toHaveLength(1);
    for (const part of [
      body.message,
      `identity to assume is ${identity}`,
      'issuer "https://issuer.example.com"',
      'subject "repo:acme/infra"',
      'audience "platform.example.com"',
      "claimMatch",
      "PLATFORM_OIDC_TOKEN",
    ]) {
      expect(error.message).toContain(part);
    }
    expect(error.message).not.toContain(oidcToken);
  });

  test.each([
    ["a page", { body: "<html>Welcome</html>" }],
    ["a page with 404", { status: 404, body: "<html>Not here</html>" }],
    ["an unknown route", { status: 404, body: { code: 5, message: "Not Found", details: [] } }],
    ["a redirect", { status: 302, headers: { location: "/login" }, body: "" }],
    ["JSON without a token", { body: { ok: true } }],
    ["a token that cannot stand in a header", { body: { token: "two words" } }],
    ["a bare token", { body: "opaque-bare-token" }],
  ])("answered by %s: the address it was sent to is the suspect", async (_, answer) => {
    const { platform, tokens } = await platformThat(() => answer);
    const error = await expectFailure(tokens.token(), "CREDENTIALS");
    expect(error.message).toContain(
      `Check platform:baseUrl (PLATFORM_BASE_URL): ${platform.url} is the API address and the token-`,
    );
    expect(error.message).not.toMatch(/two words|opaque-bare-token/);
    const issuing = await platformThat(() => answer, {
      PLATFORM_BASE_URL: "https://api.example.com",
      PLATFORM_AUTH_URL: platform.url,
    });
    const { message } = await errorOf(issuing.tokens.token());
    expect(message).toContain(`Check platform:authUrl (PLATFORM_AUTH_URL): is ${platform.url} the token-issuing address?`);
    expect(message).not.toContain("platform:baseUrl");
  });

  test("without a listener says so and names the address", async () => {
    const { url: address } = await deadServer();
    const settings = configuration("https://api.example.com", { PLATFORM_AUTH_URL: address, PLATFORM_OIDC_TOKEN: oidcToken });
    await expectFailure(
      createTokenSource(settings, { timing }).token(),
      "CREDENTIALS",
      "cannot connect",
      `is ${address} the token-issuing address?`,
    );
  });
});
