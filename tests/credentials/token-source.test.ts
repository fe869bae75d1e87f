import { createTokenSource } from "../../provider/credentials";
import { interruptedBy } from "../../provider/client/interruption";
import { redact } from "../../provider/client/redact";
import { errorOf } from "../client/support";
import { startServer } from "../support/http-double";
import { configuration, goodOidcToken, jwt, seconds } from "./support";
import { expectFailure } from "../support/failures";

const start = Date.UTC(2030, 0, 1);
const oidcToken = goodOidcToken({ exp: seconds(100_000, start) });

/** A platform whose n-th exchange gives `token(n)`, or fails where that is undefined; and a clock to move. */
async function platformOf(token: (count: number) => { token: string; expiry?: string | null } | undefined) {
  const refusal = { status: 403, body: { code: 7, message: "no", details: [] } };
  const platform = await startServer((_, count) => {
    const body = token(count);
    return body ? { body } : refusal;
  });
  const clock = { now: start };
  const settings = configuration(platform.url, { PLATFORM_OIDC_TOKEN: oidcToken });
  return { platform, clock, tokens: createTokenSource(settings, { now: () => clock.now }) };
}

const iso = (offsetMs: number) => new Date(start + offsetMs).toISOString();

describe("a token that is exchanged", () => {
  test.each([
    ["the expiry that the exchange states", () => ({ expiry: iso(600_000) }), 540_000],
    ["its own exp", () => ({ token: jwt({ exp: seconds(600, start) }), expiry: null }), 540_000],
    [
      "its own exp where the stated expiry is a zero time",
      () => ({ token: jwt({ exp: seconds(600, start) }), expiry: "0001-01-01T00:00:00Z" }),
      540_000,
    ],
    ["an hour where nothing says more", () => ({}), 3_540_000],
    ["a life of two seconds, by a fifth", () => ({ expiry: iso(2_000) }), 1_600],
  ])("is renewed by %s", async (_, answer, renewAfterMs) => {
    const { platform, clock, tokens } = await platformOf((count) => ({ token: `api-token-${count}`, ...answer() }));
    const first = await tokens.token();
    clock.now = start + renewAfterMs - 1;
    expect(await tokens.token()).toBe(first);
    expect(platform.seen).toHaveLength(1);
    clock.now = start + renewAfterMs;
    await tokens.token();
    expect(platform.seen).toHaveLength(2);
  });

  test("is fetched once for many concurrent callers", async () => {
    const { platform, tokens } = await platformOf((count) => ({ token: `api-token-${count}` }));
    const all = await Promise.all(Array.from({ length: 50 }, () => tokens.token()));
    expect(new Set(all)).toEqual(new Set(["api-token-1"]));
    expect(platform.seen).toHaveLength(1);
  });

  test("is not fetched before the first call", async () => {
    const { platform } = await platformOf(() => ({ token: "api-token-1" }));
    expect(platform.seen).toHaveLength(0);
  });

  test("is fetched again once for all calls that were rejected with it", async () => {
    const { platform, tokens } = await platformOf((count) => ({ token: `api-token-${count}` }));
    await tokens.token();
    const renewed = Array.from({ length: 5 }, async () => {
      expect(tokens.forget("api-token-1")).toBe(true);
      return tokens.token();
    });
    expect(new Set(await Promise.all(renewed))).toEqual(new Set(["api-token-2"]));
    expect(tokens.forget("api-token-1")).toBe(true);
    expect(await tokens.token()).toBe("api-token-2");
    expect(platform.seen).toHaveLength(2);
  });

  test.each(["token", "caller", "facts", "renew"] as const)(
    "is fetched to the end for the others, when the caller that began the fetch is interrupted: %s",
    async (ask) => {
      const interruption = new AbortController();
      const platform = await startServer((_, count) => {
        if (count > 1) return { body: { token: "api-token-2" } };
        interruption.abort();
        return { status: 503, body: {} };
      });
      const settings = configuration(platform.url, { PLATFORM_OIDC_TOKEN: oidcToken });
      const tokens = createTokenSource(settings, { now: () => start, timing: { firstDelayMs: 1 } });
      const { signal } = interruption;
      const first = errorOf(interruptedBy({ waits: signal, sent: signal }, async () => tokens[ask]?.()));
      const other = tokens.token();
      expect(await first).toMatchObject({ code: "CALLER_ABORTED" });
      expect(await other).toBe("api-token-2");
      expect(platform.seen).toHaveLength(2);
    },
  );

  test("that failed is fetched again by the next call, and fails for all that waited", async () => {
    const { platform, tokens } = await platformOf((count) => (count === 1 ? undefined : { token: "api-token-2" }));
    const outcomes = await Promise.allSettled([tokens.token(), tokens.token()]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(platform.seen).toHaveLength(1);
    expect(await tokens.token()).toBe("api-token-2");
  });

  test("serves to its end when its renewal fails", async () => {
    const { clock, tokens } = await platformOf((count) =>
      count === 1 ? { token: "api-token-1", expiry: iso(600_000) } : undefined,
    );
    await tokens.token();
    clock.now = start + 590_000;
    expect(await tokens.token()).toBe("api-token-1");
    clock.now = start + 600_000;
    await expectFailure(tokens.token(), "CREDENTIALS");
  });

  test("does not serve once it was rejected", async () => {
    const { clock, tokens } = await platformOf((count) => (count === 1 ? { token: "api-token-1" } : undefined));
    await tokens.token();
    clock.now = start + 1_000;
    tokens.forget("api-token-1");
    await expectFailure(tokens.token(), "CREDENTIALS");
  });

  test("that replaces another is newer than the call for it, and shared by all that wait for one", async () => {
    const { platform, tokens } = await platformOf((count) => ({ token: `api-token-${count}` }));
    // The first exchange may be older than the callers' need for a new token.
    await Promise.all([tokens.token(), ...Array.from({ length: 5 }, () => tokens.renew?.())]);
    expect(platform.seen).toHaveLength(2);
    expect(await tokens.token()).toBe("api-token-2");
  });

  test("is removed from every later message", async () => {
    const { tokens } = await platformOf(() => ({ token: "opaque-never-to-be-shown" }));
    await tokens.token();
    expect(redact(`a opaque-never-to-be-shown b ${oidcToken}`)).toBe("a [redacted] b [redacted]");
  });
});

describe("PLATFORM_TOKEN", () => {
  const tokensOf = (token: string) =>
    createTokenSource(configuration("https://api.example.com", { PLATFORM_TOKEN: token }), { now: () => start });

  test.each([
    ["an opaque token", "opaque-token"],
    ["a token that has not expired", jwt({ exp: seconds(1, start) })],
    ["a token without an end", jwt({ sub: "someone" })],
  ])("%s is given as it is", async (_, token) => {
    expect(await tokensOf(token).token()).toBe(token);
  });

  /** A platform by whose clock it is `start`, and tokens where the clock of this machine is hours ahead. */
  const ahead = async (token: string, date?: string) => {
    const headers = { date: date ?? new Date(start).toUTCString() };
    const platform = await startServer(() => ({ status: 404, body: {}, ...(date === "" ? { isUndated: true } : { headers }) }));
    const settings = configuration(platform.url, { PLATFORM_TOKEN: token });
    return { platform, tokens: createTokenSource(settings, { now: () => start + 7_200_000 }) };
  };

  test("a token that has expired by the platform's clock is rejected with the time, and not sent", async () => {
    const token = jwt({ exp: seconds(-60, start) });
    const { platform, tokens } = await ahead(token);
    const error = await expectFailure(tokens.token(), "CREDENTIALS", "PLATFORM_TOKEN expired at 2029-12-31T23:59:00.000Z");
    expect(error.message).not.toContain(token);
    expect(platform.seen.map((seen) => seen.token)).toEqual([""]);
  });

  test("a token that has expired by the clock of this machine alone is given, and the platform is asked once", async () => {
    const token = jwt({ exp: seconds(60, start) });
    const { platform, tokens } = await ahead(token);
    expect(await tokens.token()).toBe(token);
    expect(await tokens.token()).toBe(token);
    expect(platform.seen).toHaveLength(1);
    expect(await tokens.facts?.()).toMatchObject({ expiresAt: start + 60_000 });
  });

  test("a token that has expired by the clock of this machine is given if the platform tells no time", async () => {
    const token = jwt({ exp: seconds(60, start) });
    const { tokens } = await ahead(token, "");
    expect(await tokens.token()).toBe(token);
  });

  test("there is no other one after a refusal", () => {
    expect(tokensOf("opaque-token").forget("opaque-token")).toBe(false);
  });
});

describe("the caller", () => {
  const identity = "c0ffee/1";

  const assigned = "0123456789abcdef0123456789abcdef01234567/0123456789abcdef";
  const callerWith = (claims: object, settings: object = {}) => {
    const environment = { PLATFORM_TOKEN: jwt(claims), ...settings };
    return createTokenSource(configuration("https://api.example.com", environment), { now: () => start }).caller?.();
  };

  test.each([
    ["the subject of the token, where it has the form of the platform's uids", { sub: assigned }, assigned],
    ["the identity to assume, where the subject may be a word", { sub: "google-oauth2.1234567890" }, identity],
    ["the identity to assume, where the subject is in another form than the platform's", { sub: "c0ffee/2" }, identity],
    ["the identity to assume, where only the root of the subject has that form", { sub: `${assigned} or so` }, identity],
    ["the identity to assume, where the subject is no uid", { sub: "user@example.com" }, identity],
    ["the identity to assume, where the token names no subject", {}, identity],
  ])("is %s", async (_what, claims, uid) => {
    expect(await callerWith(claims, { PLATFORM_IDENTITY: identity })).toEqual({ uid });
  });

  test("is the subject of the token, where no identity is set, in any form of a uid", async () => {
    expect(await callerWith({ sub: "c0ffee/2" })).toEqual({ uid: "c0ffee/2" });
    expect(await callerWith({ sub: "user@example.com" })).toBeUndefined();
  });

  test("is unknown without a subject and an identity", async () => {
    const settings = configuration("https://api.example.com", { PLATFORM_TOKEN: "opaque-token" });
    expect(await createTokenSource(settings, { now: () => start }).caller?.()).toBeUndefined();
  });

  test("is known although the platform rejects the token at that moment", async () => {
    const { tokens } = await platformOf(() => ({ token: jwt({ sub: identity, exp: seconds(600, start) }) }));
    const token = await tokens.token();
    const caller = tokens.caller?.();
    tokens.forget(token);
    expect(await caller).toMatchObject({ uid: identity });
  });

  test("of an exchanged token comes with what it logged in with", async () => {
    const { tokens } = await platformOf(() => ({ token: jwt({ sub: identity, exp: seconds(600, start) }) }));
    expect(await tokens.caller?.()).toEqual({
      uid: identity,
      login: { issuer: "https://issuer.example.com", subject: "repo:acme/infra" },
    });
  });
});

test.each([
  [{ PLATFORM_TOKEN: "opaque-token" }, "The token came from PLATFORM_TOKEN: set it"],
  [{ PLATFORM_TOKEN_COMMAND: "print-token" }, "The token came from the command in PLATFORM_TOKEN_COMMAND: check"],
  [
    { PLATFORM_OIDC_TOKEN: oidcToken },
    "The token came from https://api.example.com in exchange for the OIDC token of PLATFORM_OIDC_TOKEN, for the audience https://",
  ],
])("a token that the platform rejects is named by its source: %#", (environment, advice) => {
  expect(createTokenSource(configuration("https://api.example.com", environment)).advice).toContain(advice);
});

test("the deadlines and delays of the exchange can be set", async () => {
  const platform = await startServer(() => ({ status: 503, body: { code: 14, message: "busy", details: [] } }));
  const settings = configuration(platform.url, { PLATFORM_OIDC_TOKEN: oidcToken });
  const timing = { firstDelayMs: 60_000, longestDelayMs: 60_000, budgetMs: 1_000 };
  await errorOf(() => createTokenSource(settings, { now: () => start, timing }).token());
  expect(platform.seen).toHaveLength(1);
});
