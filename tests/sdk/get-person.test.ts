import * as pulumi from "@pulumi/pulumi";
import { getPerson, getPersonOutput } from "../../sdk/functions";
import { runErrorOf, settled, usePlatform } from "./support";

const { platform } = usePlatform();
beforeEach(() => platform.clearRequests());

const zoe = { issuer: "https://issuer.example", subject: "zoe & co/#1" };

test("getPerson gives a person who never logged in the uid that the platform binds, by one GET", async () => {
  const { uid } = await getPerson(zoe);
  expect(uid).not.toContain("/");
  expect(await getPerson(zoe)).toEqual({ uid });
  expect((await getPerson({ ...zoe, subject: "yan" })).uid).not.toBe(uid);
  const [request] = await platform.requests();
  expect(request).toMatchObject({ method: "GET", path: "/iam/v2beta1/identities:lookupIdentity" });
  expect(Object.fromEntries(new URLSearchParams(request?.query))).toEqual(zoe);
  const bound = await platform.create("roleBindings", platform.root, {
    identityUid: uid,
    roleUid: await platform.role("viewer"),
  });
  expect(bound).toMatchObject({ identity: { uid } });
});

test("getPersonOutput waits for its arguments", async () => {
  const { uid } = await getPerson(zoe);
  expect(await settled(getPersonOutput({ issuer: zoe.issuer, subject: pulumi.output(zoe.subject) }).uid)).toMatchObject({
    value: uid,
  });
});

test.each([
  [undefined, "which person? Pass { issuer, subject }."],
  [{ issuer: zoe.issuer }, "subject is required."],
  [{ ...zoe, subject: "" }, "subject must not be empty."],
  [{ ...zoe, issuer: "issuer.example" }, "issuer must be an https URL"],
  [{ ...zoe, subjct: "x" }, 'did you mean "subject"?'],
])("getPerson(%j) is rejected before anything is sent", async (args, message) => {
  expect(await runErrorOf((getPerson as (args?: object) => Promise<unknown>)(args))).toContain(message);
  expect(await platform.requests()).toEqual([]);
});
