import {
  bind,
  BoundRun,
  ci,
  deployer,
  eng,
  login,
  owner,
  patchBinding,
  platform,
  rehearsed,
  viewer,
  type Write,
} from "./bound-run";

const issuerKeys = JSON.stringify({
  keys: [
    {
      kty: "EC",
      crv: "P-256",
      x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
      y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
    },
  ],
});

// The end of the rehearsal counts: what it shows is what may be given.

test("access that the rehearsal gave and took away again may not be given", async () => {
  const more = ["CAP_REPO_LIST", "CAP_IAM_ROLE_BINDINGS_CREATE"];
  const change = (capabilities: string[]): Write => ({ method: "PATCH", to: "roles", at: deployer, body: { capabilities } });
  const invite: Write = {
    ...{ method: "POST", to: "groupInvites", at: eng },
    body: { roleUid: owner, ttl: "3600s", email: "a@example.com" },
  };
  const ledger = await rehearsed(async (send) => {
    const { uid } = await send(bind({ identityUid: ci, roleUid: owner }));
    await send({ method: "DELETE", to: "roleBindings", at: uid });
    await send(change(more));
    await send(change(["CAP_REPO_LIST"]));
    await send({ method: "DELETE", to: "groupInvites", at: (await send(invite)).uid });
  });
  const run = new BoundRun(ledger);
  await run.refuses(bind({ identityUid: ci, roleUid: owner }));
  await run.refuses(change(more));
  await run.refuses(invite);
  const twice = new BoundRun(
    await rehearsed(async (send) => {
      await send({ method: "DELETE", to: "groupInvites", at: (await send(invite)).uid });
      await send(invite);
    }),
  );
  await twice.send(invite);
  await twice.refuses(invite);
});

test("of two invites that differ in their time alone, of which one is deleted, none may be made: no answer shows which one is left", async () => {
  const invite = (ttl: string): Write => ({ method: "POST", to: "groupInvites", at: eng, body: { roleUid: owner, ttl } });
  const [hour, year] = [invite("3600s"), invite("31536000s")];
  const once = await rehearsed(async (send) => {
    await send({ method: "DELETE", to: "groupInvites", at: (await send(year)).uid });
    await send(hour);
  });
  for (const call of [hour, year]) await new BoundRun(once).refuses(call);
  const both = new BoundRun(
    await rehearsed(async (send) => {
      await send(year);
      await send(hour);
    }),
  );
  for (const call of [hour, year]) await both.send(call);
});

test("an identity for a year that is deleted again does not lend its time to one for an hour", async () => {
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
  const robot = (more: object): Write => ({
    ...{ method: "POST", to: "identities", at: eng },
    body: { name: "robot", staticKeys: { ...login, issuerKeys, ...more } },
  });
  const ledger = await rehearsed(async (send) => {
    await send({ method: "DELETE", to: "identities", at: (await send(robot({}))).uid });
    await send(robot({ expirationTime: inAnHour }));
  });
  await new BoundRun(ledger).refuses(robot({}));
});

test("a call that says less than what was there at the end may not be sent: a later call limited it", async () => {
  const invite = (more: object): Write => ({
    ...{ method: "POST", to: "groupInvites", at: eng },
    body: { roleUid: owner, ttl: "3600s", ...more },
  });
  const limited = { email: "boss@example.com", singleUse: true };
  const pattern = { issuer: login.issuer, subjectPattern: ".*" };
  const relogin = (more: object): Write => ({
    ...{ method: "PATCH", to: "identities", at: ci },
    body: { claimMatch: { ...pattern, ...more } },
  });
  const claims = { claims: { repository_owner: "acme" } };
  const run = new BoundRun(
    await rehearsed(async (send) => {
      await send({ method: "DELETE", to: "groupInvites", at: (await send(invite({}))).uid });
      await send(invite(limited));
      await send(relogin({}));
      await send(relogin(claims));
    }),
  );
  await run.refuses(invite({}));
  await run.refuses(relogin({}));
  await run.send(invite(limited));
  await run.send(relogin(claims));
});

test("of several updates of one object, none is sent while another could still limit it", async () => {
  const { uid } = await platform.create("roleBindings", eng, { identityUid: ci, roleUid: owner });
  const { uid: bob } = await platform.create("identities", eng, { name: "bob", claimMatch: { ...login, subject: "bob" } });
  const [narrowed, given] = [patchBinding(uid, { roleUid: viewer }), patchBinding(uid, { identityUid: bob })];
  const ledger = await rehearsed(async (send) => {
    await send(narrowed);
    await send(given);
  });
  expect(await new BoundRun(ledger).refuses(given)).toContain("still as before the rehearsed update: roleUid");
});

test("an older group that is given the name of the new one is not taken for it", async () => {
  const { uid: prod } = await platform.create("groups", platform.root, { name: "prod", createTime: "2020-01-01T00:00:00Z" });
  const sandbox: Write = { method: "POST", to: "groups", at: platform.root, body: { name: "sandbox" } };
  const ledger = await rehearsed(async (send) => {
    await send(bind({ identityUid: ci, roleUid: owner }, (await send(sandbox)).uid));
  });
  const run = new BoundRun(ledger);
  await run.send({ method: "PATCH", to: "groups", at: prod, body: { name: "sandbox" } });
  expect(await run.refuses(bind({ identityUid: ci, roleUid: owner }, prod))).toContain("is another object");
});

test("a new object that the rehearsal has renamed does not stand for the one that has its first name at the end", async () => {
  const make = (body: object): Write => ({ method: "POST", to: "identities", at: eng, body: { name: "robot", ...body } });
  const [attacker, robot] = ["attacker", "robot"].map((subject) => make({ claimMatch: { ...login, subject } })) as [Write, Write];
  const ledger = await rehearsed(async (send) => {
    const { uid } = await send(attacker);
    await send({ method: "PATCH", to: "identities", at: uid, body: { name: "harmless" } });
    await send(bind({ identityUid: (await send(robot)).uid, roleUid: owner }));
  });
  const run = new BoundRun(ledger);
  await run.refuses(attacker);
  await run.send(bind({ identityUid: (await run.send(robot)).uid, roleUid: owner }));
});

describe("an update of some members of a message", () => {
  const oidc = { issuer: "https://sso.example", clientId: "acme", clientSecret: "old" };
  const change = (at: string, body: object, mask: string): Write => {
    return { method: "PATCH", to: "identityProviders", at, body: { oidc: { ...oidc, ...body } }, mask: `oidc.${mask}` };
  };
  let sso = "";
  beforeEach(async () => {
    const more = { groupsClaim: "groups", additionalScopes: ["email"] };
    const body = { name: "sso", oidc: { ...oidc, ...more }, defaultRole: viewer };
    ({ uid: sso } = await platform.create("identityProviders", eng, body));
  });

  test("leaves the others as they are, so it is in the file: a new client secret", async () => {
    const secret = change(sso, { clientSecret: "new" }, "client_secret");
    const run = new BoundRun(await rehearsed((send) => send(secret)));
    await run.send(secret);
  });

  test("is not sent while another one of them could still limit it", async () => {
    const [scopes, groups] = [
      change(sso, { additionalScopes: ["email", "profile"] }, "additional_scopes"),
      change(sso, { groupsClaim: "teams" }, "groups_claim"),
    ];
    const ledger = await rehearsed(async (send) => {
      await send(scopes);
      await send(groups);
    });
    expect(await new BoundRun(ledger).refuses(groups)).toContain("still as before the rehearsed update: oidc");
  });
});

test("keys that expire a year after each create are in two rehearsals, and in a second run, the same", async () => {
  const staticKeys = { ...login, issuerKeys };
  const make: Write = { method: "POST", to: "identities", at: eng, body: { name: "robot", staticKeys } };
  const rehearse = () => rehearsed(async (send) => send(bind({ identityUid: (await send(make)).uid, roleUid: viewer })));
  const ledger = await rehearse();
  expect((await rehearse()).objects).toEqual(ledger.objects);
  const { uid: identityUid } = await new BoundRun(ledger).send(make);
  await new BoundRun(ledger).send(bind({ identityUid, roleUid: viewer }));
});

test("a second run knows the identity of a service that the first run has made for an account association", async () => {
  const service: Write = {
    ...{ method: "POST", to: "identities", at: eng },
    body: { name: "ingester", servicePrincipal: "SERVICE_PRINCIPAL_INGESTER" },
  };
  const associate = (uid: string): Write => ({
    ...{ method: "POST", to: "accountAssociations", at: eng },
    body: { name: "services", chainguard: { serviceBindings: { INGESTER: uid } } },
  });
  const ledger = await rehearsed(async (send) => send(associate((await send(service)).uid)));
  const { uid } = await new BoundRun(ledger).send(service);
  await new BoundRun(ledger).send(associate(uid));
});
