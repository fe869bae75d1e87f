import fc from "fast-check";
import { type Field, type Fields, isInput, isSent, type Shape } from "../../provider/schema/field";
import type { Kind } from "../../provider/schema/kind";
import { kinds } from "../../provider/kinds/kinds";

/** The requests of this file to a platform. */
interface Objects {
  objects(collection: string): Promise<({ uid: string } & Record<string, unknown>)[]>;
}

const someText = fc.string({ unit: "binary", minLength: 1, maxLength: 40 });
const text = fc.oneof({ weight: 3, arbitrary: someText }, fc.constant(""));
const time = fc.date({ min: new Date("2000-01-01"), max: new Date("2100-01-01"), noInvalidDate: true });

/**
 * The inputs of a kind that can change in place; of a message each member too. Of several forms only the first, which the objects of
 * these tests have: tests/resources/identity-drift.test.ts is about the others.
 */
export function writableFields({ fields, immutable }: Kind): string[] {
  const forms = Object.keys(fields).filter((name) => fields[name]?.traits.form);
  const writable = Object.entries(fields).filter(
    ([name, field]) => isSent(field) && !immutable.includes(name) && !forms.slice(1).includes(name),
  );
  return writable.flatMap(([name, { shape }]) =>
    shape.is === "message" ? [name, ...membersOf(shape.members).map((member) => `${name}.${member}`)] : [name],
  );
}

/**
 * The members that can change in place, and whose change an answer shows. Maps of messages take no arbitrary keys:
 * tests/resources/account-association.test.ts is about them.
 */
function membersOf(members: Fields): string[] {
  return Object.entries(members)
    .filter(
      ([, field]) =>
        isSent(field) &&
        !field.traits.immutable &&
        !field.traits.writeOnly &&
        (field.shape.is !== "map" || field.shape.of.is !== "message"),
    )
    .map(([name]) => name);
}

/** The fields that only the platform sets, besides those that are read from another field. */
export function filledFields({ fields }: Kind): string[] {
  return Object.keys(fields).filter(
    (name) => !isInput(fields[name]) && fields[name]?.by !== "check" && !fields[name]?.traits.read,
  );
}

/** Values that the platform might set. */
export function filledValues(kind: Kind, name: string): fc.Arbitrary<unknown> {
  return valuesOf(fieldOf(kind.fields, name).shape);
}

/**
 * Changes of one of the {@link writableFields}, as a patch of the whole object: other values, or none at all.
 *
 * @param current the present value of the field
 */
export async function mutations(kind: Kind, field: string, platform: Objects, current: unknown): Promise<fc.Arbitrary<object>> {
  const [name = "", member] = field.split(".");
  const { shape } = fieldOf(kind.fields, name);
  const patch = (value: unknown) => ({ [name]: value });
  const none = fc.constant({ [name]: null });
  if (shape.is === "uid") {
    const others = (await platform.objects(collectionOf(shape.of))).map((object) => object.uid);
    return fc.constantFrom(...others.filter((other) => other !== current)).map(patch);
  }
  if (shape.is === "set") return differing(await subsets(kind, name, platform), current).map(patch);
  if (shape.is !== "message") return fc.oneof(none, differing(valuesOf(shape), current).map(patch));
  if (member === undefined) return none;
  const before = (current as Record<string, unknown>)[member];
  return differing(valuesOf(fieldOf(shape.members, member).shape), before).map((value) => patch({ [member]: value }));
}

/** Sets of values that objects of the kind have, since a platform drops names that it does not know. */
async function subsets(kind: Kind, name: string, platform: Objects): Promise<fc.Arbitrary<unknown>> {
  const rows = await platform.objects(kind.collection.segment);
  return fc.shuffledSubarray([...new Set(rows.flatMap((row) => row[name] as string[]))]);
}

/** `values` without the current one. Neither order nor repetition counts in a list of names; empty is the same as none. */
function differing(values: fc.Arbitrary<unknown>, current: unknown): fc.Arbitrary<unknown> {
  const isEmpty = (value: unknown): boolean =>
    value === "" || value === false || (typeof value === "object" && value !== null && Object.values(value).every(isEmpty));
  const comparable = (value: unknown) => {
    return isEmpty(value) ? undefined : JSON.stringify(Array.isArray(value) ? [...new Set(value)].sort() : value);
  };
  return values.filter((value) => comparable(value) !== comparable(current));
}

/** The collection of the objects of a kind. @param noun of the kind */
function collectionOf(noun: string): string {
  const found = Object.values<Kind>(kinds).find((kind) => kind.collection.noun === noun);
  if (found === undefined) throw new Error(`no kind is called ${noun}`);
  return found.collection.segment;
}

function fieldOf(fields: Fields, name: string): Field {
  const field = fields[name];
  if (field === undefined) throw new Error(`no field is called ${name}`);
  return field;
}

/** Any value of `shape`. A uid in a message is left as it is. */
function valuesOf(shape: Shape): fc.Arbitrary<unknown> {
  switch (shape.is) {
    case "time":
      return time.map((date) => date.toISOString());
    case "number":
      return fc.integer();
    case "flag":
      return fc.boolean();
    case "enum":
      // The platform has no other names than its own: unset.
      return fc.constant(null);
    case "set":
    case "list":
      return fc.array(valuesOf(shape.of), { maxLength: shape.of.is === "enum" ? 0 : 3 });
    case "map":
      return fc.dictionary(someText, valuesOf(shape.of), { maxKeys: 3 });
    case "message": {
      const members = Object.entries(shape.members).filter(([, member]) => member.shape.is !== "uid");
      return fc.record(Object.fromEntries(members.map(([name, member]) => [name, valuesOf(member.shape)])));
    }
    default:
      return text;
  }
}
