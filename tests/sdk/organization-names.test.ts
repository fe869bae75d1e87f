import fc from "fast-check";
import { stringify } from "yaml";
import { type GroupEntry, Organization } from "../../sdk";
import { declaredBy, type Registered, withFile } from "./components";

const parentUid = "0123456789abcdef0123456789abcdef01234567";
const claimMatch = { issuer: "https://gitlab.example", subject: "s" };

/** Some of `items`, each once. */
const some = <Item>(...items: Item[]) => fc.subarray(items, { minLength: 0 });

/** A tree of groups. Access names identities by their paths, which mean the same everywhere. */
const tree = fc
  .array(fc.record({ place: some("a", "b", "c"), identities: some("ci", "cd", "b"), roles: some("viewer", "editor", "a:b") }), {
    minLength: 1,
    maxLength: 6,
  })
  .map((parts) => {
    const root: { groups: Record<string, GroupEntry> } = { groups: {} };
    const paths: string[] = [];
    for (const { place, identities, roles } of parts) {
      let entry: GroupEntry = root;
      for (const key of place) entry = (entry.groups ??= {})[key] ??= {};
      for (const key of identities) {
        (entry.identities ??= {})[key] = { claimMatch };
        paths.push(["acme", ...place, key].join("/"));
      }
      for (const role of roles) (entry.access ??= {})[role] = [...new Set(paths)];
    }
    return root;
  });

const known = new Map<string, Registered[]>();
/** The resources that `root` declares. Each property checks the same trees, which are played once. */
async function declared(root: object): Promise<Registered[]> {
  const key = JSON.stringify(root);
  const found = known.get(key) ?? (await declaredBy(() => new Organization("acme", { parentUid, ...root } as never)));
  known.set(key, found);
  return found;
}

/** `value` with its keys and the items of its lists in reverse. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.toReversed();
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member)]),
  );
}

/** `root` with a new identity that is the second member of every list of access. */
function withInserted(root: object): object {
  const insert = (value: unknown): unknown => {
    if (Array.isArray(value)) return [...(value as unknown[]).slice(0, 1), "acme/new", ...(value as unknown[]).slice(1)];
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, insert(member)]));
  };
  const all = insert(root) as { identities?: object };
  return { ...all, identities: { new: { claimMatch }, ...all.identities } };
}

const keyOf = ({ type, name }: Registered) => `${type} ${name}`;
const check = (property: fc.IAsyncProperty<[{ groups: Record<string, GroupEntry> }]>) =>
  fc.assert(property, { seed: 1, numRuns: 25 });

test("every resource has a name of its own", async () => {
  await check(
    fc.asyncProperty(tree, async (root) => {
      const keys = (await declared(root)).map(keyOf);
      expect(new Set(keys).size).toBe(keys.length);
    }),
  );
});

test("the order of keys and of lists changes nothing", async () => {
  await check(
    fc.asyncProperty(tree, async (root) => {
      const sorted = (all: Registered[]) => all.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
      expect(sorted(await declared(reversed(root) as object))).toEqual(sorted(await declared(root)));
    }),
  );
});

test("a new member adds its own resources and changes no other, wherever it is inserted", async () => {
  await check(
    fc.asyncProperty(tree, async (root) => {
      const [before, after] = [await declared(root), await declared(withInserted(root))];
      const isNew = ({ type, name }: Registered) => (type === "Identity" && name === "acme/new") || name.endsWith(":new");
      expect(after.filter((each) => !isNew(each))).toEqual(before);
    }),
  );
});

test("a file declares what nested objects declare, in YAML and in JSON", async () => {
  await check(
    fc.asyncProperty(tree, async (root) => {
      const nested = await declared(root);
      for (const text of [stringify(root), JSON.stringify(root)]) {
        const file = () => withFile(text, () => new Organization("acme", { parentUid, file: "acme.yaml" }));
        expect(await declaredBy(file)).toEqual(nested);
      }
    }),
  );
});
