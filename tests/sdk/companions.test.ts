import * as pulumi from "@pulumi/pulumi";
import { companionsArgument } from "../../provider/kinds/inputs";
import { GroupAccess, RoleBinding } from "../../sdk";
import { playEngine, settled } from "./support";

const uid = "0123456789abcdef0123456789abcdef01234567";
const binding = { parentUid: uid, identityUid: uid, roleUid: uid };

/** What each resource of `program` tells its provider about the others, by logical name. */
async function told(program: () => pulumi.Resource[]): Promise<Record<string, unknown>> {
  const said: Record<string, unknown> = {};
  const mocks: pulumi.runtime.Mocks = {
    newResource({ name, inputs }) {
      said[name] = (inputs as Record<string, unknown>)[companionsArgument];
      return { id: name, state: inputs as object };
    },
    call: () => ({}),
  };
  await playEngine(mocks);
  await Promise.all(program().map(({ urn }) => settled(urn)));
  return said;
}

const both = () => [new GroupAccess("all", { parentUid: uid, access: {} }), new RoleBinding("one", binding)];

test("a GroupAccess waits for the other resources that give access, a RoleBinding for none", async () => {
  expect(await told(both)).toEqual({ all: { id: 0, others: [1] }, one: { id: 1, others: [] } });
});

test("programs that run in one process, as inline ones do, know nothing of each other", async () => {
  const first = await told(both);
  expect(await told(both)).toEqual(first);
  expect(await told(() => [new GroupAccess("all", { parentUid: uid, access: {} })])).toEqual({ all: undefined });
});

test("a resource that depends on a GroupAccess is not waited for by it: the engine checks it only afterwards", async () => {
  const said = await told(() => {
    const all = new GroupAccess("all", { parentUid: uid, access: {} });
    const later = [all, [all]].map((dependsOn, index) => new RoleBinding(`later ${index}`, binding, { dependsOn }));
    return [all, ...later, new RoleBinding("now", binding)];
  });
  expect(said["all"]).toEqual({ id: 0, others: [3] });
});
