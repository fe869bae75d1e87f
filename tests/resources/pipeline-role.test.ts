import { runInThisContext } from "node:vm";
import {
  group,
  groupInvite,
  kinds,
  declare,
  expectFailure,
  Resource,
  ResourceFixture,
  roleBinding,
} from "../support/resource-fixture";
import { read } from "../docs/markdown";
import { changedInputs } from "../support/kind-inputs";

const fixture = ResourceFixture.forFile();

/** The capabilities of the guide's role `pipeline` beyond the role `editor`. */
function documented(): string[] {
  const [, list = ""] = /const managed = (\[[^]*?\n\]);\n/.exec(read("docs/guides/credentials.md")) ?? [];
  return runInThisContext(list) as string[];
}

let engineering: string;
let pipeline: Awaited<ReturnType<ResourceFixture["as"]>>;

beforeAll(async () => {
  const { platform } = fixture;
  engineering = await fixture.parent();
  const uid = await fixture.identity();
  const editor = await platform.named("roles", "editor");
  await fixture.grant(uid, engineering, ...(editor["capabilities"] as string[]), ...documented());
  await platform.create("roleBindings", platform.root, { identityUid: uid, roleUid: fixture.viewer });
  pipeline = await fixture.as(uid);
});

test.each(kinds)("the role for pipelines is enough to create, read, change and delete a %s", async (_noun, kind) => {
  const run = () => fixture.run(pipeline);
  const inputs = await fixture.inputs(kind, await fixture.place(kind, engineering));
  const { id, outs } = await declare(kind, inputs, run());
  let resource = new Resource(fixture, { kind, uid: id, inputs, outs });
  expect(await resource.refresh(run())).toBeDefined();
  if (kind.calls.update === "patch") {
    resource = await resource.updated(changedInputs(kind, inputs, await fixture.platform.role("editor")), run());
    expect(resource.diff({}, run()).changes).toBe(false);
  }
  await resource.remove(run());
  expect(await resource.exists()).toBe(false);
});

test("the role for pipelines makes nobody an owner, and changes nothing outside of the pipeline's group", async () => {
  const owner = await fixture.platform.role("owner");
  const inputs = { ...(await fixture.inputs(roleBinding, engineering)), roleUid: owner };
  await expectFailure(declare(roleBinding, inputs, fixture.run(pipeline)), "PERMISSION_DENIED");
  const invite = { ...(await fixture.inputs(groupInvite, engineering)), roleUid: owner };
  await expectFailure(declare(groupInvite, invite, fixture.run(pipeline)), "PERMISSION_DENIED");
  const outside = await fixture.inputs(group, fixture.platform.root);
  await expectFailure(declare(group, outside, fixture.run(pipeline)), "PERMISSION_DENIED");
});
