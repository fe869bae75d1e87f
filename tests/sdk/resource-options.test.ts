import * as pulumi from "@pulumi/pulumi";
import { Group, Identity, RoleBinding } from "../../sdk";
import { plainRefusal, playEngine, type Registration } from "./support";

let registered: Registration[];
beforeEach(async () => {
  registered = await playEngine();
});
const declared = () => registered.map(({ name }) => name);

const claimMatch = { issuer: "https://issuer.example", subject: "ci" };
const kinds: [string, (opts: pulumi.CustomResourceOptions) => pulumi.CustomResource][] = [
  ["Group", (opts) => new Group("team", { parentUid: "a" }, opts)],
  ["Identity", (opts) => new Identity("team", { parentUid: "a", claimMatch }, opts)],
  ["RoleBinding", (opts) => new RoleBinding("team", { parentUid: "a", identityUid: "b", roleUid: "c" }, opts)],
];

class Component extends pulumi.ComponentResource {
  constructor(name: string, opts?: pulumi.ComponentResourceOptions) {
    super("test:index:Component", name, {}, opts);
  }
}

/** Runs `program` as one with a stack; resolves to what it throws. */
async function refusal(program: () => unknown): Promise<string> {
  let thrown: unknown;
  await pulumi.runtime.runInPulumiStack(() => {
    try {
      program();
    } catch (error) {
      thrown = error;
    }
    return Promise.resolve();
  });
  await pulumi.runtime.disconnect();
  return plainRefusal(thrown);
}

const other = () => new Component("other");
const reason = "without deleting it";

describe.each(kinds)("%s", (kind, make) => {
  test("rejects deletedWith: the object and its access would live on", async () => {
    const message = await refusal(() => make({ deletedWith: other() }));
    expect(message).toMatch(`${kind} "team": the option deletedWith `);
    expect(message).toMatch(new RegExp(`${reason}.* Remove the option`));
    expect(declared()).not.toContain("team");
  });

  test("rejects deletedWith that a transformation adds", async () => {
    const add: pulumi.ResourceTransformation = ({ props, opts }) => ({ props, opts: { ...opts, deletedWith: other() } });
    expect(await refusal(() => make({ transformations: [add] }))).toContain(reason);
    expect(declared()).not.toContain("team");
  });

  test("rejects deletedWith that a transformation of the stack adds, registered after the import of this package", async () => {
    const message = await refusal(() => {
      pulumi.runtime.registerStackTransformation(({ type, props, opts }) =>
        type.includes("platform/") ? { props, opts: { ...opts, deletedWith: other() } } : undefined,
      );
      make({});
    });
    expect(message).toContain(reason);
  });

  test("rejects deletedWith that it would inherit from a component, at any depth", async () => {
    const message = await refusal(() => {
      new Group("first", { parentUid: "a" });
      const outer = new Component("outer", { deletedWith: other() });
      make({ parent: new Component("inner", { parent: outer }) });
    });
    expect(message).toContain(`${kind} "team" (a child of a resource with deletedWith): `);
    expect(declared()).not.toContain("team");
  });

  test("rejects options of the engine that would do nothing", async () => {
    expect(await refusal(() => make({ replaceOnChanges: ["description"] }))).toContain("Set replacementTrigger");
    expect(await refusal(() => make({ import: "a/b" }))).toContain("adopt: true");
  });

  test("takes those options without a value, and every other option", async () => {
    await pulumi.runtime.runInPulumiStack(() => {
      const parent = new Component("parent");
      const none = { deletedWith: undefined, replaceOnChanges: [], import: undefined } as object;
      make({ ...none, parent, protect: true, retainOnDelete: true, ignoreChanges: ["description"], deleteBeforeReplace: true });
      return Promise.resolve();
    });
    await pulumi.runtime.disconnect();
    expect(declared()).toContain("team");
  });
});

test("a child of another package may have deletedWith below a resource of ours", async () => {
  class Thing extends pulumi.CustomResource {
    constructor(name: string, opts?: pulumi.CustomResourceOptions) {
      super("test:index:Thing", name, {}, opts);
    }
  }
  await pulumi.runtime.runInPulumiStack(() => {
    const group = new Group("team", { parentUid: "a" });
    new Thing("thing", { parent: group, deletedWith: group });
    return Promise.resolve();
  });
  await pulumi.runtime.disconnect();
  expect(declared()).toContain("thing");
});
