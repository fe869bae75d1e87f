import fc from "fast-check";
import { create } from "../../provider/resources/creating/create";
import { diff } from "../../provider/resources/object/diff";
import { hasCode } from "../../provider/client/errors";
import type { Inputs, Kind } from "../../provider/schema/kind";
import { refresh } from "../../provider/resources/object/read";
import { update } from "../../provider/resources/object/update";
import { checked, group, identity, kinds, repo, ResourceFixture, roleBinding } from "../support/resource-fixture";
import { casesOf } from "../support/tier";

const seed = 20_261_121;
const numRuns = casesOf(25, 40);

const fixture = ResourceFixture.forFile();

/** Text that a form, a query, a path, a shell or a parser might trip over. */
const hostile = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }),
  fc.constantFrom(
    "",
    " ",
    "a+b",
    "%20",
    "../..",
    "a\u0000b",
    "\n",
    "__proto__",
    "{}",
    "null",
    "'; --",
    "\u202e",
    "\ufffe",
    "é",
    "é",
  ),
);
const groupName = fc.stringMatching(/^[a-z0-9 ._-]{1,40}$/);
const issuer = fc.oneof(
  fc.webUrl().map((url) => url.replace(/^http:/, "https:")),
  hostile,
);

const hostileInputs: Record<string, fc.Arbitrary<Inputs>> = {
  group: fc.record({ name: fc.oneof(groupName, hostile), description: fc.option(hostile) }),
  identity: fc.record({
    name: fc.oneof(groupName, hostile),
    description: fc.option(hostile),
    claimMatch: fc.record({ issuer, subject: hostile }),
  }),
};

/** Declares, and returns the outcome: rejected by the check, rejected by the platform, or the uid. */
async function attempt(kind: Kind, news: Inputs, run = fixture.run()) {
  const { inputs, failures } = checked({ kind, olds: {}, news }, run);
  if (failures.length > 0) return { outcome: "rejected here" as const };
  try {
    const { id, outs } = await create(kind, inputs, run);
    return { outcome: "made" as const, inputs, id, outs, run };
  } catch (error) {
    if (!hasCode(error, "INVALID_ARGUMENT")) throw error;
    return { outcome: "rejected there" as const };
  }
}

test.each([
  ["group", group],
  ["identity", identity],
] as [string, Kind][])("hostile text for a %s is rejected here, or is exactly what is sent", async (noun, kind) => {
  await fc.assert(
    fc.asyncProperty(hostileInputs[noun] ?? fc.constant({}), async (fields) => {
      const parentUid = await fixture.parent();
      await fixture.platform.clearRequests();
      const { outcome } = await attempt(kind, { parentUid, ...fields });
      const sent = await fixture.platform.writes();
      if (outcome === "rejected here") expect(await fixture.platform.requests()).toEqual([]);
      else {
        const declared = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== ""));
        expect(sent.map(({ path, body }) => ({ path, body }))).toEqual([
          { path: `/iam/v2beta1/${kind.collection.segment}/${parentUid}`, body: declared },
        ]);
      }
    }),
    { seed, numRuns },
  );
});

const uid = fc.oneof(fc.stringMatching(/^[A-Za-z0-9._-]{1,8}(\/[A-Za-z0-9._-]{1,8}){0,3}$/), hostile);

test("hostile uids are rejected here, or address exactly what they say", async () => {
  await fc.assert(
    fc.asyncProperty(uid, async (parentUid) => {
      await fixture.platform.clearRequests();
      const run = fixture.run();
      const { inputs, failures } = checked({ kind: group, olds: {}, news: { parentUid, name: "g" } }, run);
      if (failures.length === 0) await create(group, inputs, run).catch(() => undefined);
      const paths = (await fixture.platform.requests()).map(({ path }) => path);
      expect(paths).toEqual(failures.length > 0 ? [] : [`/iam/v2beta1/groups/${parentUid}`]);
    }),
    { seed, numRuns },
  );
});

const acceptable: Record<string, (fixture: ResourceFixture) => Promise<fc.Arbitrary<Inputs>>> = {
  group: () => Promise.resolve(fc.record({ name: groupName, description: fc.option(fc.string({ maxLength: 200 })) })),
  identity: () => Promise.resolve(hostileInputs["identity"] ?? fc.constant({})),
  "role binding": async () => {
    const identities = [await fixture.identity(), await fixture.identity()];
    const roles = (await fixture.platform.objects("roles")).map((role) => role.uid);
    return fc.record({ identityUid: fc.constantFrom(...identities), roleUid: fc.constantFrom(...roles) });
  },
  role: async () => {
    const known = (await fixture.platform.named("roles", "viewer"))["capabilities"] as string[];
    return fc.record({
      name: fc.string({ minLength: 1, maxLength: 40 }),
      description: fc.option(fc.string({ maxLength: 200 })),
      capabilities: fc.array(fc.constantFrom(...known), { minLength: 1, maxLength: 6 }),
    });
  },
  "identity provider": async () => {
    const roles = [await fixture.platform.role("viewer"), await fixture.platform.role("editor")];
    const words = fc.string({ minLength: 1, maxLength: 20 });
    return fc.record({
      name: groupName,
      description: fc.option(fc.string({ maxLength: 200 })),
      defaultRole: fc.constantFrom(...roles),
      oidc: fc.record({
        issuer,
        clientId: words,
        clientSecret: words,
        clientSecretVersion: fc.option(words),
        additionalScopes: fc.option(fc.array(words, { minLength: 1, maxLength: 3 })),
        groupsClaim: fc.option(words),
        correlationRule: fc.constantFrom("CORRELATION_RULE_SUB_EQUALS_EXTERNAL_ID", "CORRELATION_RULE_UNSPECIFIED", undefined),
        pkceEnabled: fc.option(fc.boolean()),
      }),
    });
  },
  "account association": () => {
    const words = fc.string({ minLength: 1, maxLength: 20 });
    const number = fc.integer({ min: 1 }).map(String);
    const installation = fc.record({ installationId: number, name: fc.option(words) });
    return Promise.resolve(
      fc.record({
        name: words,
        description: fc.option(fc.string({ maxLength: 200 })),
        amazon: fc.option(fc.record({ account: fc.stringMatching(/^[0-9]{12}$/) })),
        google: fc.option(fc.record({ projectId: words, projectNumber: number })),
        azure: fc.option(fc.record({ tenantId: words, clientIds: fc.dictionary(words, words, { minKeys: 1, maxKeys: 3 }) })),
        github: fc.option(
          fc.record({
            appInstallations: fc.dictionary(
              number,
              fc.record({ installations: fc.array(installation, { minLength: 1, maxLength: 3 }) }),
              {
                maxKeys: 3,
              },
            ),
          }),
        ),
      }),
    );
  },
  "external group role mapping": async () => {
    const roles = (await fixture.platform.objects("roles")).map((role) => role.uid);
    const scope = fc.constant(fixture.platform.root);
    return fc.record({ externalGroupId: hostile, roleUid: fc.constantFrom(...roles), scope });
  },
  repo: async () => {
    const source = (await fixture.colleague(repo, { parentUid: fixture.platform.root, name: "source" })).uid;
    const words = fc.option(fc.array(fc.stringMatching(/^[a-z0-9]{1,9}$/), { minLength: 1, maxLength: 3 }));
    return fc.record({
      name: hostile,
      description: fc.option(fc.string({ maxLength: 200 })),
      activeTags: words,
      sync_config: fc.option(fc.record({ source: fc.constantFrom(source, "source"), google: fc.option(fc.string()) })),
      customOverlay: fc.option(
        fc.record({
          contents: fc.option(fc.record({ packages: words, runtimeRepositories: words })),
          environment: fc.option(fc.dictionary(fc.string({ minLength: 1 }), fc.string(), { minKeys: 1, maxKeys: 3 })),
          accounts: fc.option(
            fc.record({
              users: fc.array(fc.record({ username: fc.string({ minLength: 1 }), uid: fc.option(fc.nat()) }), { minLength: 1 }),
            }),
          ),
        }),
      ),
    });
  },
  tag: () =>
    Promise.resolve(
      fc.record({
        name: fc.stringMatching(/^[a-zA-Z0-9_][a-zA-Z0-9._-]{0,20}$/),
        digest: fc.stringMatching(/^[a-f0-9]{64}$/).map((digits) => `sha256:${digits}`),
        deprecated: fc.option(fc.boolean()),
        deletionPolicy: fc.constantFrom("retain", "delete", undefined),
      }),
    ),
  "group invite": async () => {
    const roles = (await fixture.platform.objects("roles")).map((role) => role.uid);
    const email = fc.option(fc.emailAddress());
    const ttl = fc.integer({ min: 600, max: 1e6 }).map((seconds) => `${seconds}s`);
    return fc.record({ roleUid: fc.constantFrom(...roles), email, ttl, singleUse: fc.option(fc.boolean()) });
  },
  subscription: () => Promise.resolve(fc.record({ sink: fc.webUrl({ validSchemes: ["https"] }) })),
};

describe.each(kinds)("a %s that was made", (noun, kind) => {
  test("and is read again does not differ from its declaration, whatever the platform leaves out", async () => {
    const inputs = (await acceptable[noun]?.(fixture)) ?? fc.constant({});
    let made = 0;
    await fc.assert(
      fc.asyncProperty(inputs, fc.boolean(), async (fields, omitDefaults) => {
        const place = { [kind.parentInput]: await fixture.place(kind) };
        await fixture.platform.settings({ omitDefaults: false });
        const result = await attempt(kind, { ...place, ...fields });
        await fixture.platform.settings({ omitDefaults });
        if (result.outcome !== "made") return;
        made += 1;
        const { id, inputs: declared, outs, run } = result;
        expect(await refresh(kind, id, outs, run)).toEqual({ id, props: outs, inputs: declared });
        expect(diff({ kind, uid: id, olds: outs, news: { ...place, ...fields } }, run)).toMatchObject({
          changes: false,
          replaces: [],
        });
      }),
      { seed, numRuns },
    );
    expect(made).toBeGreaterThan(numRuns / 10);
  });
});

describe.each(kinds.filter(([, { calls }]) => calls.update === "patch"))("a %s that was made", (noun, kind) => {
  test("and is updated is what the update declares, by exactly the fields that differ", async () => {
    const inputs = (await acceptable[noun]?.(fixture)) ?? fc.constant({});
    await fc.assert(
      fc.asyncProperty(inputs, inputs, async (before, after) => {
        const place = { [kind.parentInput]: await fixture.place(kind) };
        const first = await attempt(kind, { ...place, ...before });
        const { inputs: news, failures } = checked({ kind, olds: {}, news: { ...place, ...after } }, fixture.run());
        if (first.outcome !== "made" || failures.length > 0) return;
        await fixture.platform.clearRequests();
        const outs = await update({ kind, uid: first.id, olds: first.outs, news }, first.run).catch((error: unknown) => {
          if (!hasCode(error, "INVALID_ARGUMENT")) throw error;
        });
        const writes = await fixture.platform.writes();
        if (outs === undefined) return;
        expect(diff({ kind, uid: first.id, olds: outs, news }, first.run).changes).toBe(false);
        expect(writes).toHaveLength(diff({ kind, uid: first.id, olds: first.outs, news }, first.run).changes ? 1 : 0);
      }),
      { seed, numRuns },
    );
  });
});

test("bindings of one identity to several roles in one group coexist", async () => {
  const [parentUid, identityUid, run] = [await fixture.parent(), await fixture.identity(), fixture.run()];
  const roles = (await fixture.platform.objects("roles")).slice(0, 5).map((role) => role.uid);
  const made = await Promise.all(roles.map((roleUid) => attempt(roleBinding, { parentUid, identityUid, roleUid }, run)));
  expect(new Set(made.map((result) => result.id)).size).toBe(5);
});
