import type * as pulumi from "@pulumi/pulumi";
import * as platform from "../../sdk";
import { playEngine } from "./support";

beforeAll(() => playEngine());

/** A resource class, as policy packs use it. */
interface ResourceClass {
  readonly __pulumiType: string;
  isInstance: (obj: unknown) => boolean;
  get: (name: string, uid: string) => pulumi.CustomResource;
}

const classes = Object.entries(platform as Record<string, unknown>).filter(
  (entry): entry is [string, ResourceClass] => typeof entry[1] === "function" && "get" in entry[1],
);
const resources = () => classes.map(([name, kind]) => kind.get(`${name}-instance`, "a/b"));

let copy: Record<string, ResourceClass> = {};
beforeAll(() => {
  jest.isolateModules(() => {
    copy = jest.requireActual<typeof copy>("../../sdk");
  });
});

test("there are resource classes to look at", () => {
  expect(classes.map(([name]) => name)).toEqual(expect.arrayContaining(["Group", "Identity", "RoleBinding"]));
});

describe.each(classes)("%s", (name, { __pulumiType: type, isInstance }) => {
  test("has its token as its type", () => {
    expect(type).toMatch(new RegExp(`^pulumi-nodejs:dynamic/platform/[a-z]+:${name}$`));
  });

  test("takes only its own instances for such, called without its class", () => {
    const own = resources().filter((resource) => isInstance(resource));
    expect(own.map((resource) => (resource as unknown as { __pulumiType: string }).__pulumiType)).toEqual([type]);
    for (const other of [undefined, null, {}, "text", new platform.Provider("p", { baseUrl: "https://a.example" })])
      expect(isInstance(other)).toBe(false);
  });

  test("takes what a policy pack passes: the type alone", () => {
    expect(isInstance({ __pulumiType: type })).toBe(true);
    expect(isInstance({ __pulumiType: `${type}s` })).toBe(false);
  });

  test("takes instances of another copy of the package", () => {
    expect(copy[name]).not.toBe(platform[name as keyof typeof platform]);
    expect(copy[name]?.isInstance(resources().find((resource) => isInstance(resource)))).toBe(true);
  });
});
