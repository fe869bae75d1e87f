import { claimsOf } from "../../provider/credentials/jwt";
import { redact } from "../../provider/client/redact";
import { dynamically } from "../../provider/host/dynamic";
import { openRun } from "../../provider/host/session";
import { unknownValue } from "../../provider/schema/inputs";
import type { Inputs } from "../../provider/schema/kind";
import { registryCredentialsLife } from "../../provider/resources/registry-credentials/life";
import { TestPlatform } from "../support/test-platform";

const platform = TestPlatform.forFile();
const environment = { ...process.env };
beforeAll(() => Object.assign(process.env, platform.environment));
afterAll(() => {
  process.env = environment;
});

const registry = "registry.example.com";
const __provider = "the text";

/** A provider at a time that tests move, in milliseconds after now. */
async function provider() {
  const notes: string[] = [];
  const clock = { offset: 0 };
  const served = dynamically(registryCredentialsLife, (settings) => {
    const run = openRun(settings, process.env);
    jest.spyOn(run.client, "now").mockImplementation(() => Date.now() + clock.offset);
    jest.spyOn(run, "notify").mockImplementation((note) => notes.push(note));
    return run;
  });
  await served.configure({ config: { get: () => undefined } });
  return { served, notes, clock };
}

/** Checks and creates as the engine does. */
async function made(news: Inputs = { registry }) {
  const all = await provider();
  const { inputs, failures } = await all.served.check({}, { ...news, __provider });
  expect(failures).toEqual([]);
  const { id, outs } = await all.served.create({ ...inputs, __provider });
  return { ...all, id, inputs, outs };
}

test("the token is for the registry, and its password is redacted in messages", async () => {
  const { id, outs } = await made({ registry, identity: platform.identity });
  expect(id).toBe(`${registry}/${platform.identity}`);
  expect(outs).toMatchObject({ registry, identity: platform.identity, username: "_token" });
  expect(claimsOf(String(outs["password"]))).toMatchObject({ aud: [registry], sub: platform.identity });
  expect(redact(`it was ${String(outs["password"])}`)).not.toContain(outs["password"]);
});

test("an up keeps it until its last half an hour, then renews it in place", async () => {
  const { served, clock, id, inputs, outs } = await made();
  expect(await served.diff(id, outs, inputs)).toEqual({ changes: false, replaces: [], deleteBeforeReplace: false });
  clock.offset = 29 * 60_000;
  expect((await served.diff(id, outs, inputs)).changes).toBe(false);
  clock.offset = 31 * 60_000;
  expect(await served.diff(id, outs, inputs)).toEqual({ changes: true, replaces: [], deleteBeforeReplace: false });
  const renewed = await served.update(id, outs, inputs);
  expect(renewed.outs).toMatchObject({ registry, username: "_token" });
  expect(renewed.outs["password"]).not.toBe(outs["password"]);
});

test("a refresh asks nothing and reports no drift, also after the token has expired", async () => {
  const { id, inputs, outs } = await made();
  await platform.admin("DELETE", "requests");
  const { served, clock } = await provider();
  clock.offset = 2 * 3_600_000;
  expect(await served.read(id, { ...outs, __provider })).toEqual({ id, props: outs, inputs });
  expect((await served.diff(id, outs, inputs)).changes).toBe(false);
  expect(((await platform.admin("GET", "requests")) as { requests: unknown[] }).requests).toEqual([]);
});

test("another registry or identity replaces it; another user name does not", async () => {
  const { served, id, outs } = await made();
  const diff = (news: Inputs) => served.diff(id, outs, { registry, ...news });
  expect((await diff({ registry: "other.example.com" })).replaces).toEqual(["registry"]);
  expect((await diff({ identity: platform.identity })).replaces).toEqual(["identity"]);
  expect(await diff({ username: "puller" })).toMatchObject({ changes: true, replaces: [] });
});

test("a delete says that the token lives on, and until when", async () => {
  const { served, clock, notes, id, outs } = await made();
  await served.delete(id, outs);
  expect(notes).toEqual([expect.stringContaining(`until ${String(outs["expiry"])}`)]);
  expect(notes[0]).not.toContain(outs["password"]);
  clock.offset = 2 * 3_600_000;
  await served.delete(id, outs);
  expect(notes).toHaveLength(1);
});

test("wrong arguments fail the check; unknown ones pass", async () => {
  const { served } = await provider();
  const reasons = async (news: Inputs) => (await served.check({}, news)).failures.map(({ reason }) => reason).join("\n");
  expect(await reasons({})).toContain("registry is required");
  expect(await reasons({ registry: "https://registry.example.com/x" })).toContain("must be the host");
  expect(await reasons({ registry, identiy: "a" })).toContain('did you mean "identity"?');
  expect(await reasons({ registry: unknownValue, identity: unknownValue })).toBe("");
});

test("it cannot be read without a state, and no error has a stack", async () => {
  const { served } = await provider();
  const error = await served.read(registry, { __provider }).catch((reason: unknown) => reason as Error);
  expect(error).toMatchObject({ message: expect.stringContaining("cannot be read") as unknown, stack: "" });
});
