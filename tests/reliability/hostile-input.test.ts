import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { parseAnswer, parseAs, retryAfter } from "../../provider/client/answer";
import type { Collection, WireObject } from "../../provider/client/collection";
import { PlatformError } from "../../provider/client/errors";
import { advisories, groups, identities, repos, roleBindings, roles, tags } from "../support/collections";
import { isUid } from "../../provider/client/uid";
import { uidPath } from "../../provider/client/uid";
import { readConfiguration, settings } from "../../provider/credentials";
import { commandWords } from "../../provider/credentials/command-words";
import { claimsOf, expiryOf } from "../../provider/credentials/jwt";
import { TokenClock } from "../../provider/credentials/token-clock";
import { runTokenCommand } from "../../provider/credentials/token-command";
import { failureFor } from "../../provider/host/failure";
import { toStruct } from "../../provider/host/struct";
import { check } from "../../provider/resources/object/check";
import { Ledger } from "../../provider/resources/ledger/ledger";
import { stateOf } from "../../provider/schema/kind";
import { startServer } from "../support/http-double";
import { clientOf, errorOf } from "../client/support";
import { group, kinds } from "../support/resource-fixture";
import { hostileText, hostileValue, unprintable } from "./hostile-text";
import { casesOf } from "../support/tier";
import { expectFailure } from "../support/failures";

/** Fixed, so that a failure comes again. */
const seed = 8;

/** No hostile text may have changed what all objects inherit. */
afterEach(() => {
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
});

/** The rule of every message, whatever a server or a program has put into it. */
function expectPrintable(message: string): void {
  expect(message).not.toMatch(unprintable);
  expect(message.length).toBeLessThan(5_000);
}

/** The error of `work`, which may only be ours; undefined where it succeeds. */
function refusalOf(work: () => unknown): PlatformError | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (PlatformError.isInstance(error)) return error;
    throw error;
  }
}

describe("what a program declares", () => {
  const run = { ledger: new Ledger(), organization: undefined };

  test.each(kinds)("as a %s is refused with printable reasons, or is what the rules allow", (_noun, kind) => {
    const names = [...Object.keys(kind.inputs.shape), "adopt", "surprise", "__proto__"];
    const inputs = fc.dictionary(fc.oneof(fc.constantFrom(...names), hostileText), hostileValue, { noNullPrototype: true });
    fc.assert(
      fc.property(inputs, (news) => {
        const result = check({ kind, olds: {}, news }, run);
        for (const { reason } of result.failures) expectPrintable(`key${reason.slice(reason.indexOf(" "))}`);
        if (result.failures.length > 0) return;
        expect(isUid(String(result.inputs[kind.parentInput]))).toBe(true);
        expect(Object.keys(result.inputs).every((name) => name in kind.inputs.shape)).toBe(true);
      }),
      { seed, numRuns: casesOf(30, 2_000) },
    );
  });

  test("as a uid leads to no other path", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const refusal = refusalOf(() => uidPath(text));
        if (refusal) {
          expectPrintable(refusal.message);
          return;
        }
        expect(new URL(`https://platform.example/iam/v2beta1/groups/${text}`).pathname).toBe(`/iam/v2beta1/groups/${text}`);
      }),
      { seed, numRuns: casesOf(50, 3_000) },
    );
  });

  test("as a name of a group holds no look-alike, no control character and no path", () => {
    const accepted = (name: string) =>
      check({ kind: group, olds: {}, news: { parentUid: "root", name } }, run).failures.length === 0;
    fc.assert(
      fc.property(hostileText, (name) => {
        expect(accepted(name)).toBe(
          name.length > 0 && Array.from(name).every((letter) => "abcdefghijklmnopqrstuvwxyz0123456789 ._-".includes(letter)),
        );
      }),
      { seed, numRuns: casesOf(50, 3_000) },
    );
  });

  test("as configuration is rejected without being shown, or read", () => {
    const variables = [...Object.values(settings).map(({ environment }) => environment), "ACTIONS_ID_TOKEN_REQUEST_URL"];
    const keys = [...Object.values(settings).flatMap((setting) => ("key" in setting ? [setting.key] : [])), "platform:__proto__"];
    const values = (names: string[]) => fc.dictionary(fc.constantFrom(...names), hostileText, { noNullPrototype: true });
    fc.assert(
      fc.property(values(keys), values(variables), (configured, environment) => {
        const refusal = refusalOf(() => readConfiguration(configured, environment));
        if (refusal) expectPrintable(refusal.message);
      }),
      { seed, numRuns: casesOf(30, 2_000) },
    );
  });
});

describe("what a server answers", () => {
  const collections: Collection<WireObject>[] = [groups, identities, roles, roleBindings, repos, tags, advisories];

  test.each(collections)("as one of $segment is refused, or has a uid and can be kept in state", (collection) => {
    const members = ["uid", "name", "description", "claimMatch", "identity", "group", "role", "identityUid", "createTime"];
    const uid = fc.oneof(fc.constant("root/a"), hostileText);
    const object = fc
      .dictionary(fc.oneof(fc.constantFrom(...members), hostileText), hostileValue, { noNullPrototype: true })
      .chain((value) => uid.map((text) => JSON.stringify({ ...value, uid: text })));
    const kind = kinds.map(([, each]) => each).find((each) => each.collection.segment === collection.segment);
    fc.assert(
      fc.property(object, (text) => {
        let wire: WireObject | undefined;
        const refusal = refusalOf(() => (wire = parseAs(collection.schema, JSON.parse(text), "Get x")));
        if (refusal) {
          expectPrintable(refusal.message);
          return;
        }
        expect(isUid(wire?.uid ?? "")).toBe(true);
        if (kind && wire) JSON.stringify(toStruct(stateOf(kind, kind.observe(wire))));
      }),
      { seed, numRuns: casesOf(20, 2_000) },
    );
  });

  const headers = fc.record({
    "content-type": hostileText,
    "x-request-id": hostileText,
    "retry-after": hostileText,
    date: hostileText,
  });
  const details = fc.array(fc.record({ fieldViolations: fc.array(fc.record({ field: hostileText, description: hostileText })) }));
  const body = fc.oneof(
    hostileText,
    hostileValue.map((value) => JSON.stringify(value)),
    fc.record({ code: fc.integer({ min: -1, max: 17 }), message: hostileText, details }).map((value) => JSON.stringify(value)),
  );

  test("as an error becomes a printable message of bounded length on one line, without control of the terminal", () => {
    fc.assert(
      fc.property(fc.constantFrom(200, 204, 400, 401, 403, 404, 409, 429, 500, 503), headers, body, (status, headers, text) => {
        const error = refusalOf(() => parseAnswer({ status, headers, text }, "GET /x"));
        if (!error) return;
        expectPrintable(error.message);
        expect(error.message).not.toContain("\n");
        expectPrintable(error.requestId ?? "");
        expectPrintable(failureFor(error).message);
        expect(failureFor(error).message.endsWith(` [${error.code}]`)).toBe(true);
      }),
      { seed, numRuns: casesOf(50, 3_000) },
    );
  });

  test("as the time to wait is a number of milliseconds, or nothing", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const wait = retryAfter(text, Date.now());
        expect(wait === undefined || (Number.isFinite(wait) && wait >= 0)).toBe(true);
      }),
      { seed, numRuns: casesOf(50, 3_000) },
    );
  });

  test("as a token is a JSON Web Token with an expiry, or opaque", () => {
    const part = hostileValue.map((value) => Buffer.from(JSON.stringify(value)).toString("base64url"));
    const token = fc.oneof(
      hostileText,
      fc.tuple(part, part, part).map((parts) => parts.join(".")),
    );
    fc.assert(
      fc.property(token, (text) => {
        const end = expiryOf(claimsOf(text));
        expect(end === undefined || !Number.isNaN(new Date(end).getTime())).toBe(true);
      }),
      { seed, numRuns: casesOf(50, 3_000) },
    );
  });

  test("under prototype keys changes no object, neither that one nor any other", async () => {
    const body =
      '{"uid":"root/a","name":"a","__proto__":{"polluted":1,"description":"x"},"constructor":{"prototype":{"polluted":1}}}';
    const server = await startServer(() => ({ body }));
    const wire = await clientOf(server.url).get(groups, "root/a");
    expect(stateOf(group, group.observe(wire))).toEqual({ parentUid: "root", name: "a" });
    expect(toStruct(JSON.parse('{"__proto__":{"polluted":1}}'))).not.toHaveProperty("polluted");
  });
});

describe("an answer that would exhaust this process is rejected", () => {
  test("when it does not end: after 32 MiB", async () => {
    const chunk = Buffer.alloc(1024 * 1024, " ");
    let sent = 0;
    function* endless() {
      for (;;) {
        sent += chunk.length;
        yield chunk;
      }
    }
    const { url } = await startServer(() => ({ body: Readable.from(endless()) }));
    const error = await errorOf(clientOf(url).get(groups, "root"));
    expect(error).toMatchObject({ code: "UNEXPECTED_ANSWER" });
    expect(error.message).toMatch(/larger than 33554432 bytes/);
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  test("when it is compressed without a request for that: it is not decompressed", async () => {
    const bomb = gzipSync(Buffer.alloc(256 * 1024 * 1024));
    const { url } = await startServer(() => ({ headers: { "content-encoding": "gzip" }, body: bomb }));
    const before = process.memoryUsage().rss;
    const error = await expectFailure(clientOf(url).get(groups, "root"), "UNEXPECTED_ANSWER");
    expectPrintable(error.message);
    expect(process.memoryUsage().rss - before).toBeLessThan(128 * 1024 * 1024);
  });

  test.each<[string, Record<string, string>]>([
    ["one of 1 MB", { "x-bomb": "x".repeat(1024 * 1024) }],
    ["10,000", Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`x-${index}`, "x"]))],
  ])("when it has headers without end (%s)", async (_what, headers) => {
    const { url } = await startServer(() => ({ headers, body: "{}" }));
    const error = await expectFailure(clientOf(url).get(groups, "root"), "CONNECTION_LOST");
    expectPrintable(error.message);
  });

  test.each([
    ["alone", "["],
    ["in a claim match", '{"uid":"root","claimMatch":{"claims":'],
    ["in undeclared members", '{"uid":"root","more":'],
  ])("when it is nested 200,000 deep (%s)", async (_where, head) => {
    const body = `${head}${"[".repeat(200_000)}${"]".repeat(200_000)}${Array.from(head)
      .reverse()
      .map((open) => ({ "{": "}", "[": "]" })[open] ?? "")
      .join("")}`;
    JSON.parse(body);
    const server = await startServer(() => ({ body }));
    await expectFailure(clientOf(server.url).get(identities, "root"), "UNEXPECTED_ANSWER");
  });
});

describe("a token command", () => {
  /** One word as a shell would quote it. */
  const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

  test("is split into exactly the words that were quoted, whatever is in them", () => {
    fc.assert(
      fc.property(fc.array(hostileText, { minLength: 1, maxLength: 4 }), (words) => {
        expect(commandWords(words.map(quoted).join(" "))).toEqual(words);
      }),
      { seed, numRuns: casesOf(50, 3_000) },
    );
  });

  test("gets its words as they are: no shell reads them", async () => {
    const print = 'process.stdout.write(Buffer.from(JSON.stringify(process.argv.slice(1))).toString("base64url"))';
    const word = hostileText.filter((text) => !text.includes("\0") && text.length < 10_000 && text.isWellFormed());
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 4 }), async (words) => {
        const command = [process.execPath, "-e", print, "--", ...words].map(quoted).join(" ");
        const [program = "", ...rest] = commandWords(command) ?? [];
        const { token } = await runTokenCommand(
          [program, ...rest],
          "PLATFORM_TOKEN_COMMAND",
          new TokenClock("https://api.example.com"),
        );
        expect(JSON.parse(Buffer.from(token, "base64url").toString())).toEqual(words);
      }),
      { seed, numRuns: casesOf(5, 150) },
    );
    expect(existsSync(path.resolve("HERE"))).toBe(false);
  });

  test("would run what is in them if a shell read them, so that this test could fail", async () => {
    const { stdout } = await promisify(execFile)("echo $(echo read by a shell)", { shell: true });
    expect(stdout.trim()).toBe("read by a shell");
  });
});
