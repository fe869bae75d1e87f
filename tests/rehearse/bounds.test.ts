import { kinds } from "../../provider/kinds/kinds";
import {
  bind,
  BoundRun,
  ci,
  client,
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

test("a rehearsed call is sent, and one with another role, identity or place is not, with the nearest call and the difference", async () => {
  const run = new BoundRun(await rehearsed((send) => send(bind({ identityUid: ci, roleUid: viewer }))));
  const { uid: admin } = await platform.named("identities", "organization-admin");
  expect(await run.refuses(bind({ identityUid: ci, roleUid: owner }))).toContain(`its roleUid was viewer and is "${owner}"`);
  expect(await run.refuses(bind({ identityUid: admin, roleUid: viewer }))).toContain("its identityUid was");
  expect(await run.refuses(bind({ identityUid: ci, roleUid: viewer }, platform.root))).toContain("its place was");
  await run.send(bind({ identityUid: ci, roleUid: viewer }));
  expect(JSON.stringify(await platform.objects("roleBindings"))).toContain(ci);
});

test("events go where they were rehearsed to go, and nowhere else", async () => {
  const subscribe = (sink: string): Write => ({ method: "POST", area: "events", to: "subscriptions", at: eng, body: { sink } });
  const run = new BoundRun(await rehearsed((send) => send(subscribe("https://audit.example/events"))));
  expect(await run.refuses(subscribe("https://other.example/events"))).toContain("its sink was");
  await run.send(subscribe("https://audit.example/events"));
  const sinks = (await platform.objects("subscriptions")).filter(({ uid }) => uid.startsWith(`${eng}/`));
  expect(sinks).toMatchObject([{ sink: "https://audit.example/events" }]);
});

test("a token for a registry is permitted for the rehearsed registry and identity alone", async () => {
  const [identity, registry] = [platform.identity, "registry.example"];
  const ledger = await rehearsed(() => Promise.resolve(), [{ aud: registry, identity }]);
  const { limits } = new BoundRun(ledger);
  await limits.permitRegistryToken(client, { registry });
  await limits.permitRegistryToken(client, { registry, identity });
  for (const other of [{ registry: "other.example" }, { registry, identity: ci }])
    await expect(limits.permitRegistryToken(client, other)).rejects.toMatchObject({ code: "NOT_REHEARSED" });
});

test("objects that the run makes are recognised by their place and key, also in a second run with the same file", async () => {
  const team = { method: "POST", to: "groups", at: eng, body: { name: "shop" } } as const;
  const role = (at: string): Write => ({
    method: "POST",
    to: "roles",
    at,
    body: { name: "shipper", capabilities: ["CAP_REPO_LIST"] },
  });
  const robot = (at: string, subject = "robot"): Write => ({
    ...{ method: "POST", to: "identities", at },
    body: { name: "robot", claimMatch: { ...login, subject } },
  });
  const ledger = await rehearsed(async (send) => {
    const { uid } = await send(team);
    const [{ uid: roleUid }, { uid: identityUid }] = [await send(role(uid)), await send(robot(uid))];
    await send(bind({ identityUid, roleUid }, uid));
  });
  const run = new BoundRun(ledger);
  const { uid } = await run.send(team);
  expect(await run.refuses(robot(uid, "another"))).toContain("its claimMatch was");
  const [{ uid: roleUid }, { uid: identityUid }] = [await run.send(role(uid)), await run.send(robot(uid))];
  const second = new BoundRun(ledger);
  expect(await second.refuses(bind({ identityUid, roleUid: owner }, uid))).toContain("its roleUid was");
  await second.send(bind({ identityUid, roleUid }, uid));
});

test("an object of the same name that another has made in the meantime is not taken for the one that the rehearsal made", async () => {
  const robot = { name: "robot", claimMatch: { ...login, subject: "robot" } };
  const ledger = await rehearsed(async (send) => {
    const { uid: identityUid } = await send({ method: "POST", to: "identities", at: eng, body: robot });
    await send(bind({ identityUid, roleUid: viewer }));
  });
  const { uid: identityUid } = await platform.create("identities", eng, {
    ...robot,
    claimMatch: { ...login, subject: "attacker" },
  });
  const message = await new BoundRun(ledger).refuses(bind({ identityUid, roleUid: viewer }));
  expect(message).toContain("identity acme.example/engineering/robot");
  expect(message).toContain("has changed since it was rehearsed: claimMatch");
});

describe("an object of a rehearsed call that has changed since is refused:", () => {
  const call = () => bind({ identityUid: ci, roleUid: deployer });

  test.each([
    [
      "the capabilities of its role",
      () => platform.change("roles", deployer, { capabilities: ["CAP_IAM_ROLE_BINDINGS_CREATE"] }),
      "capabilities",
    ],
    [
      "the login of its identity",
      () => platform.change("identities", ci, { claimMatch: { ...login, subject: "attacker" } }),
      "claimMatch",
    ],
    ["the name of its place", () => platform.change("groups", eng, { name: "production" }), "is now called production"],
    ["its role is gone", () => platform.delete("roles", deployer), "cannot be read again"],
  ])("%s", async (_what, change, text) => {
    const run = new BoundRun(await rehearsed((send) => send(call())));
    await change();
    expect(await run.refuses(call())).toContain(text);
  });

  test("but other changes of the organisation are not", async () => {
    const run = new BoundRun(await rehearsed((send) => send(call())));
    await platform.change("groups", eng, { description: "changed" });
    await platform.change("identities", ci, { description: "changed" });
    await platform.create("groups", eng, { name: "new" });
    await platform.create("roleBindings", eng, { identityUid: ci, roleUid: owner });
    await run.send(call());
  });
});

test("a change of a description does not make the run trust an identity whose login has changed", async () => {
  const describe: Write = { method: "PATCH", to: "identities", at: ci, body: { description: "new" } };
  const run = new BoundRun(await rehearsed((send) => send(bind({ identityUid: ci, roleUid: viewer }))));
  await platform.change("identities", ci, { claimMatch: { ...login, subject: "attacker" } });
  await run.send(describe);
  expect(await run.refuses(bind({ identityUid: ci, roleUid: viewer }))).toContain("claimMatch");
});

test("an update of a binding is sent, although no call names the identity and the role that it had before", async () => {
  const { uid: former } = await platform.create("identities", eng, {
    name: "former",
    claimMatch: { ...login, subject: "former" },
  });
  const binding = await platform.create("roleBindings", eng, { identityUid: former, roleUid: deployer });
  const change = patchBinding(binding.uid, { identityUid: ci, roleUid: viewer });
  const ledger = await rehearsed((send) => send(change));
  await new BoundRun(ledger).send(change);
  const other = patchBinding(binding.uid, { identityUid: ci, roleUid: owner });
  expect(await new BoundRun(ledger).refuses(other)).toContain("its roleUid was viewer");
});

test("an update of a binding that others have changed since is refused, also if the call is the rehearsed one", async () => {
  const { uid } = await platform.create("roleBindings", eng, { identityUid: ci, roleUid: viewer });
  const change = patchBinding(uid, { roleUid: deployer });
  const ledger = await rehearsed((send) => send(change));
  const { uid: another } = await platform.create("identities", eng, {
    name: "another",
    claimMatch: { ...login, subject: "another" },
  });
  await platform.change("roleBindings", uid, { identityUid: another });
  expect(await new BoundRun(ledger).refuses(change)).toContain("has changed since it was rehearsed: identityUid");
});

test("an update of a part of a binding is refused if the part that stays gives more than in the rehearsal", async () => {
  const { uid } = await platform.create("roleBindings", eng, { identityUid: ci, roleUid: deployer });
  const { uid: bob } = await platform.create("identities", eng, { name: "bob", claimMatch: { ...login, subject: "bob" } });
  const [toOwner, toBob] = [patchBinding(uid, { roleUid: owner }), patchBinding(uid, { identityUid: bob })];
  const ledgers = [await rehearsed((send) => send(toOwner)), await rehearsed((send) => send(toBob))] as const;
  await platform.change("identities", ci, { claimMatch: { ...login, subject: "attacker" } });
  await platform.change("roles", deployer, { capabilities: ["CAP_IAM_ROLE_BINDINGS_CREATE"] });
  expect(await new BoundRun(ledgers[0]).refuses(toOwner)).toContain(
    "/engineering/ci has changed since it was rehearsed: claimMatch",
  );
  expect(await new BoundRun(ledgers[1]).refuses(toBob)).toContain("deployer has changed since it was rehearsed: capabilities");
});

test("a second run with the same file knows an object that refers to one that the first run has made", async () => {
  const oidc = { issuer: "https://sso.example", clientId: "acme" };
  const provider = { name: "sso", oidc, defaultRole: viewer };
  const { uid: sso } = await platform.create("identityProviders", eng, provider);
  const role = {
    method: "POST",
    to: "roles",
    at: eng,
    body: { name: "shipper", capabilities: ["CAP_REPO_LIST"] },
  } as const;
  const update = (roleUid: string): Write => ({
    ...{ method: "PATCH", to: "identityProviders", at: sso },
    body: { defaultRole: roleUid },
  });
  const mapping: Write = {
    ...{ method: "POST", to: "externalGroupRoleMappings", at: sso },
    body: { externalGroupId: "admins", roleUid: viewer, scope: platform.root },
  };
  const ledger = await rehearsed(async (send) => {
    await send(update((await send(role)).uid));
    await send(mapping);
  });
  const first = new BoundRun(ledger);
  await first.send(update((await first.send(role)).uid));
  await new BoundRun(ledger).send(mapping);
});

test("a role that the same update changes may be as before or as after", async () => {
  const more = ["CAP_REPO_LIST", "CAP_REPO_CREATE"];
  const change = (capabilities: string[]): Write => ({ method: "PATCH", to: "roles", at: deployer, body: { capabilities } });
  const ledger = await rehearsed(async (send) => {
    await send(change(more));
    await send(bind({ identityUid: ci, roleUid: deployer }));
  });
  const run = new BoundRun(ledger);
  expect(await run.refuses(change(["CAP_IAM_ROLE_BINDINGS_CREATE"]))).toContain("its capabilities was");
  await run.send(change(more));
  await new BoundRun(ledger).send(bind({ identityUid: ci, roleUid: deployer }));
});

const broad = ["CAP_IAM_ROLE_BINDINGS_CREATE", "CAP_REPO_LIST"];
const narrow = ["CAP_REPO_LIST"];

test("a role that the rehearsed update makes narrower is not given while it is broad", async () => {
  await platform.change("roles", deployer, { capabilities: broad });
  const change: Write = { method: "PATCH", to: "roles", at: deployer, body: { capabilities: narrow } };
  const call = bind({ identityUid: ci, roleUid: deployer });
  const ledger = await rehearsed(async (send) => {
    await send(change);
    await send(call);
  });
  expect(await new BoundRun(ledger).refuses(call)).toContain("still as before the rehearsed update: capabilities");
  const run = new BoundRun(ledger);
  await run.send(change);
  await run.send(call);
});

test("an identity whose login the rehearsed update changes gets nothing for its former login", async () => {
  const change: Write = {
    method: "PATCH",
    to: "identities",
    at: ci,
    body: { claimMatch: { ...login, subject: "deploy" } },
  };
  const call = bind({ identityUid: ci, roleUid: viewer });
  const ledger = await rehearsed(async (send) => {
    await send(call);
    await send(change);
  });
  expect(await new BoundRun(ledger).refuses(call)).toContain("still as before the rehearsed update: claimMatch");
  const run = new BoundRun(ledger);
  await run.send(change);
  await run.send(call);
});

test("a role that the rehearsed update replaces by another one of the same name is not given", async () => {
  await platform.change("roles", deployer, { capabilities: broad });
  const role: Write = { method: "POST", to: "roles", at: platform.root, body: { name: "deployer", capabilities: narrow } };
  const ledger = await rehearsed(async (send) => {
    await send({ method: "DELETE", to: "roles", at: deployer });
    await send(bind({ identityUid: ci, roleUid: (await send(role)).uid }));
  });
  expect(await new BoundRun(ledger).refuses(bind({ identityUid: ci, roleUid: deployer }))).toContain("capabilities");
});

test("an update that also clears a field, such as the time at which an identity expires, is not the rehearsed one", async () => {
  const change = (body: object): Write => ({ method: "PATCH", to: "identities", at: ci, body });
  const claimMatch = { ...login, subject: "deploy" };
  const run = new BoundRun(await rehearsed((send) => send(change({ claimMatch }))));
  expect(await run.refuses(change({ claimMatch, static: null }))).toContain("its static was not set");
  await run.send(change({ claimMatch }));
});

test("access may always be taken away, and calls that give none are free", async () => {
  const binding = await platform.create("roleBindings", eng, { identityUid: ci, roleUid: viewer });
  const run = new BoundRun({ since: "", calls: [], objects: [] });
  await run.send({ method: "POST", to: "groups", at: eng, body: { name: "unforeseen" } });
  await run.send({ method: "PATCH", to: "identities", at: ci, body: { description: "unforeseen" } });
  await client.delete(kinds.roleBinding.collection, binding.uid);
  expect((await platform.objects("roleBindings")).some(({ uid }) => uid === binding.uid)).toBe(false);
});

test("a batch is refused if one of its creates was not rehearsed", async () => {
  const part = (roleUid: string) => ({ parent: eng, roleBinding: { identityUid: ci, roleUid } });
  const batch = (...roles: string[]): Write => ({
    ...{ method: "POST", to: "roleBindings:batchCreate" },
    body: { parent: eng, requests: roles.map(part) },
  });
  const run = new BoundRun(await rehearsed((send) => send(batch(viewer, deployer))));
  await run.refuses(batch(viewer, owner));
  await run.send(batch(viewer, deployer));
});

test("an invite is made as often as it was rehearsed, and one that failed may be made again", async () => {
  const invite: Write = {
    method: "POST",
    to: "groupInvites",
    at: eng,
    body: { roleUid: viewer, ttl: "3600s", email: "a@example.com" },
  };
  const run = new BoundRun(await rehearsed((send) => send(invite)));
  await platform.fault({ method: "POST", path: "groupInvites" }, { status: 403, code: 7 }, { times: 1 });
  await expect(run.send(invite)).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
  await run.send(invite);
  expect(await run.refuses(invite)).toContain("made fewer of them");
});

test("a change that this release does not know is refused", async () => {
  await new BoundRun({ since: "", calls: [], objects: [] }).refuses({ method: "POST", to: "superpowers", at: eng, body: {} });
});
