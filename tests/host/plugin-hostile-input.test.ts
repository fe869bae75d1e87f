import { status } from "@grpc/grpc-js";
import fc from "fast-check";
import { Plugin } from "../../provider/host/plugin/plugin";
import { servedFunctions } from "../../provider/host/plugin/functions";
import { typeToken } from "../../provider/host/plugin/resources";
import { toStruct } from "../../provider/host/struct";
import { defaultTiming } from "../../provider/client/retry";
import { hostileText, hostileValue, unprintable } from "../reliability/hostile-text";
import { casesOf } from "../support/tier";
import { hostProcess } from "../support/host-process";
import { clientOf } from "../support/native-host";
import type { PluginClient, Properties } from "../support/plugin-client";
import { kinds, ResourceFixture } from "../support/resource-fixture";

/** Fixed, so that a failure comes again. */
const seed = 8;

const fixture = ResourceFixture.forFile();
let plugin: PluginClient;

beforeAll(async () => {
  const timing = { ...defaultTiming, budgetMs: 5_000, firstDelayMs: 1, longestDelayMs: 1 };
  plugin = clientOf(new Plugin([], hostProcess({ timing })));
  const { platform, proxy } = fixture;
  const { identity, oidcTokenFile } = platform;
  await plugin.configure({ baseUrl: proxy.baseUrl, audience: platform.baseUrl, identity, oidcTokenFile });
});

/** No hostile text may have changed what all objects inherit. */
afterEach(() => {
  expect(Object.keys(Object.prototype)).toEqual([]);
});

/** Texts that cannot travel, or that a terminal would obey. */
function expectPrintable(message: string): void {
  expect(message).not.toMatch(unprintable);
  expect(message).not.toMatch(/TypeError|RangeError|Cannot read|is not a function|is not iterable|call stack/);
}

/** The answer of a call; undefined if it was refused, which must be with an error for people. */
async function answerOf<Result>(call: Promise<Result>): Promise<Result | undefined> {
  try {
    return await call;
  } catch (error) {
    const { code, details } = error as { code: status; details: string };
    expect([code, details]).toEqual([status.UNKNOWN, expect.any(String)]);
    expectPrintable(details);
    expect(details.length).toBeLessThan(20_000);
    return undefined;
  }
}

/** Values of a program: `given`, some of them replaced by others, and members that nothing declares. */
function hostileFor(given: object, more: string[] = []): fc.Arbitrary<Properties> {
  const name = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...Object.keys(given), ...more) }, hostileText);
  return fc
    .dictionary(name, hostileValue, { maxKeys: 3, noNullPrototype: true })
    .map((other) => toStruct({ ...given, ...other }) as Properties);
}

describe.each(kinds)("a program's %s", (_noun, kind) => {
  test("is refused by its check with printable reasons, or previewed", async () => {
    const type = typeToken(kind);
    const given = await fixture.inputs(kind, await fixture.place(kind));
    await fc.assert(
      fc.asyncProperty(hostileFor(given, Object.keys(kind.fields)), async (news) => {
        const { inputs, failures } = await plugin.check(type, "resource", news);
        for (const [, reason = ""] of failures) expectPrintable(reason);
        if (failures.length > 0) return;
        await plugin.create(type, inputs, { preview: true });
        await plugin.update(type, "a/b", given, inputs, { preview: true });
        await answerOf(plugin.diff(type, "a/b", given, inputs));
      }),
      { seed, numRuns: casesOf(10, 600) },
    );
  });

  test("is read from whatever a server answers, or refused", async () => {
    const type = typeToken(kind);
    const given = await fixture.inputs(kind, await fixture.place(kind));
    const { id } = await plugin.create(type, (await plugin.check(type, "resource", { ...given })).inputs);
    const hostile = hostileFor(given, Object.keys(kind.fields));
    await fc.assert(
      fc.asyncProperty(hostile, fc.boolean(), async (members, isError) => {
        fixture.proxy.interfere = ({ method, path }) => {
          if (method !== "GET" || path.startsWith("/sts/")) return undefined;
          const body = isError ? { code: 3, message: JSON.stringify(members), details: [members] } : { ...members, uid: id };
          return { status: isError ? 400 : 200, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
        };
        const read = await answerOf(plugin.read(type, id, { ...given }));
        if (read !== undefined) expect(JSON.stringify(read.outs).isWellFormed()).toBe(true);
      }),
      { seed, numRuns: casesOf(8, 300) },
    );
  });
});

test.each([...servedFunctions([]).keys()])("arguments of %s are refused with printable reasons, or asked", async (token) => {
  const names = ["uid", "name", "parentUid", "childrenOf", "descendantsOf", "orderBy", "pageSize", "uids", "__proto__"];
  await fc.assert(
    fc.asyncProperty(hostileFor({}, names), async (args) => {
      await answerOf(plugin.invoke(token, args));
    }),
    { seed, numRuns: casesOf(4, 150) },
  );
});

test("settings are refused with printable reasons, or taken", async () => {
  const names = ["baseUrl", "authUrl", "audience", "identity", "organization", "oidcTokenFile", "tokenCommand", "apiVersion"];
  await fc.assert(
    fc.asyncProperty(hostileFor({ baseUrl: "https://platform.example" }, names), async (news) => {
      for (const reason of await plugin.checkConfig(news)) expectPrintable(reason);
    }),
    { seed, numRuns: casesOf(10, 600) },
  );
});
