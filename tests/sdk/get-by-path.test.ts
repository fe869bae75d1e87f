import * as pulumi from "@pulumi/pulumi";
import * as dynamic from "../../sdk";
import * as native from "../../sdk/native";
import { kinds, composites } from "../../provider/kinds/kinds";
import { namedObjects, type NamedObject } from "../support/named-objects";
import { playEngine, type Registration, settled, usePlatform } from "./support";

type Class = typeof dynamic.Group;

const { platform } = usePlatform();
const names = { ...kinds, ...composites };
let objects: readonly NamedObject[];

beforeAll(async () => {
  objects = await namedObjects(platform);
});
beforeEach(() => platform.clearRequests());

const valueOf = async (output: pulumi.Output<string>) => (await settled(output)).value;

/** The id that the engine would get for a resource that `get` declares. */
function passedBy(get: (opts: pulumi.CustomResourceOptions) => unknown): pulumi.Output<string> {
  let passed: pulumi.Input<pulumi.ID> | undefined;
  const spy: pulumi.ResourceTransformation = ({ opts }) => {
    passed = (opts as pulumi.CustomResourceOptions).id;
    throw new Error("seen");
  };
  expect(() => get({ transformations: [spy] })).toThrow("seen");
  return pulumi.output(passed) as pulumi.Output<string>;
}
const doors = [
  ["pulumi-platform", dynamic],
  ["pulumi-platform/native", native],
] as const;

describe.each(doors)("get of %s", (_door, classes) => {
  const classOf = (kind: NamedObject["kind"]) => Reflect.get(classes, names[kind].name) as Class;

  test.each(Object.keys(names) as NamedObject["kind"][])(
    "reads a %s by each of its names: the engine and the program get the uid",
    async (kind) => {
      const registered: Registration[] = await playEngine({ isReal: true });
      for (const { uid, ids } of objects.filter((each) => each.kind === kind))
        for (const [index, id] of ids.entries()) {
          const found = classOf(kind).get(`${uid} ${index}`, index === 0 ? id : pulumi.output(id));
          expect([await valueOf(found.uid), await valueOf(found.id)]).toEqual([uid, uid]);
          expect(registered.at(-1)?.id).toBe(uid);
        }
      expect(await platform.writes()).toEqual([]);
    },
  );

  test("by a complete uid asks nothing in the program", async () => {
    await playEngine({ isReal: true });
    const { uid } = objects[0] as NamedObject;
    expect(await valueOf(classOf("group").get("found", uid).uid)).toBe(uid);
    expect(await platform.requests()).toEqual([]);
  });

  test("by an id that a preview does not know stays unknown, and asks nothing", async () => {
    const newResource = ({ inputs }: Registration) => ({ id: "", state: inputs });
    await playEngine({ isReal: true, preview: true, newResource });
    const made = new dynamic.Group("made", { parentUid: platform.root });
    const passed = passedBy((opts) => classOf("group").get("later", made.uid, opts));
    expect(await settled(passed)).toMatchObject({ isKnown: false });
    expect(await platform.requests()).toEqual([]);
  });

  test("by a path that leads nowhere fails with the part that is missing", async () => {
    await playEngine({ isReal: true });
    const passed = passedBy((opts) => classOf("group").get("found", "acme.example/shpo", opts));
    const failure: unknown = await settled(passed).catch((error: unknown) => error);
    expect(pulumi.RunError.isInstance(failure)).toBe(true);
    expect((failure as Error).message).toContain('"found" cannot be read: group id "acme.example/shpo": "acme.example" exists');
    expect((failure as Error).message).toContain("[NOT_FOUND]");
  });
});

test("under the mocks of a test a name is passed as it is", async () => {
  const registered = await playEngine();
  const found = dynamic.Group.get("found", "acme.example/shop");
  expect(await valueOf(found.id)).toBe("acme.example/shop");
  expect(registered[0]?.id).toBe("acme.example/shop");
  expect(await platform.requests()).toEqual([]);
});
