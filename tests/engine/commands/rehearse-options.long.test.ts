import { succeed } from "../succeed";
import { platform, project, useProject } from "../use-project";
import { type Effect, effectOfReal, said } from "./real-update";
import { rehearse, useRehearsals } from "./use-rehearsals";

/** Two bindings, one of which depends on the identity `ci`. */
const program = (ci: string, nightly: string) => `
  const eng = new Group("engineering", { parentUid: root });
  const claim = (subject) => ({ issuer: "https://issuer.example", subject });
  const ci = new Identity("ci", { parentUid: eng.uid, claimMatch: claim("ci") });
  const nightly = new Identity("nightly", { parentUid: eng.uid, claimMatch: claim("nightly") }, { deleteBeforeReplace: true });
  new RoleBinding("ci", { parentUid: eng.uid, identityUid: ci.uid, roleName: "${ci}" });
  new RoleBinding("nightly", { parentUid: root, identityUid: nightly.uid, roleName: "${nightly}" });`;

useRehearsals();
useProject(program("viewer", "viewer"));
beforeEach(() => succeed(project.up()));

const urn = (type: string, name: string) => `urn:pulumi:test::test::pulumi-nodejs:dynamic/platform/iam:${type}::${name}`;

/** Expects that a rehearsal with options says what the engine then does with them. @returns the effect of both */
async function expectEqual(options: readonly string[], real = () => project.up(...options)): Promise<Effect> {
  await platform.letTimePass();
  const document = await rehearse(...options, "--skip-preview");
  expect(document.undecided).toEqual([]);
  const effect = await effectOfReal(real);
  expect(said(document)).toEqual(effect);
  return effect;
}

/** The names of those whose access changes. */
const holders = ({ changes }: Effect) => [...new Set(changes.map((text) => /"path":"[^"]*?(\w+)"/.exec(text)?.[1]))].sort();

test("--target and --exclude: only the access of the resources that are updated changes", async () => {
  await project.program(program("editor", "editor"));
  const excluding = await expectEqual(["--exclude", urn("RoleBinding", "ci")]);
  expect(holders(excluding)).toEqual(["nightly"]);
  const targeted = await expectEqual(["--target", urn("RoleBinding", "ci")]);
  expect(holders(targeted)).toEqual(["ci"]);
});

test("--replace: the access of a replacement, and the error of one whose name is taken", async () => {
  const replaced = await expectEqual(["--replace", urn("Identity", "nightly")]);
  expect(replaced.errors).toEqual([]);
  const taken = await expectEqual(["--replace", urn("RoleBinding", "ci")]);
  expect(taken).toEqual({ changes: [], errors: [expect.stringContaining("KEY_TAKEN") as string] });
});

test("--refresh repairs a change by hand, and without it the change stays", async () => {
  const { uid: group } = await platform.named("groups", "engineering");
  const binding = (await platform.objects("roleBindings")).find(({ uid }) => uid.startsWith(group));
  await platform.change("roleBindings", binding?.uid ?? "", { roleUid: await platform.role("owner") });
  expect(await expectEqual([])).toEqual({ changes: [], errors: [] });
  const repaired = await expectEqual(["--refresh"], () => project.up("--refresh", "--run-program"));
  expect(holders(repaired)).toEqual(["ci"]);
});

test("--destroy, whole and of a target with its dependents; an object of others in the group stops it half-way", async () => {
  const destroy = (...options: readonly string[]) =>
    expectEqual(["--destroy", ...options], () => project.destroy("--run-program", ...options));
  const ofOne = await destroy("--target", urn("Identity", "nightly"), "--target-dependents");
  expect(holders(ofOne)).toEqual(["nightly"]);
  const { uid } = await platform.named("groups", "engineering");
  await platform.create("groups", uid, { name: "of-others" });
  const stopped = await destroy();
  expect(stopped.errors.join()).toContain("of-others");
  expect(holders(stopped)).toContain("ci");
});

test("--continue-on-error goes on with the others", async () => {
  await platform.create("groups", platform.root, { name: "ops" });
  await project.program(`new Group("ops", { parentUid: root }); ${program("editor", "editor")}`);
  const failing = await expectEqual(["--continue-on-error"]);
  expect(failing.errors.join()).toContain("KEY_TAKEN");
  expect(holders(failing)).toEqual(["ci", "nightly"]);
});
