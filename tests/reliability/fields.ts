import fc from "fast-check";
import type { z } from "zod";
import * as areas from "../support/collections";
import { uid } from "../../provider/kinds/inputs";
import type { Kind } from "../../provider/kinds/kind";
import type { Platform } from "../engine/platform";

/** A schema as zod describes it itself. */
type Schema = z.core.$ZodTypes;

/** Members of messages that the platform knows and no kind declares (API-FACTS §2.2). */
const undeclaredMembers: Record<string, readonly { name: string; isMap: boolean }[]> = {
  claimMatch: [
    ...["issuerPattern", "subjectPattern", "audience", "audiencePattern"].map((name) => ({ name, isMap: false })),
    ...["claims", "claimPatterns"].map((name) => ({ name, isMap: true })),
  ],
};

const someText = fc.string({ unit: "binary", minLength: 1, maxLength: 40 });
const text = fc.oneof({ weight: 3, arbitrary: someText }, fc.constant(""));
const time = fc.date({ min: new Date("2000-01-01"), max: new Date("2100-01-01"), noInvalidDate: true });

/** The inputs of a kind that can change in place, from its declaration; of a message each member, also those that nobody declared. */
export function writableFields(kind: Kind): string[] {
  const names = Object.keys(kind.inputs.shape).filter((name) => name !== "parentUid");
  return names.flatMap((name) => {
    const { def } = bare(kind.inputs.shape[name] as Schema)._zod;
    if (def.type !== "object") return [name];
    const members = [...Object.keys(def.shape), ...(undeclaredMembers[name] ?? []).map((member) => member.name)];
    return [name, ...members.map((member) => `${name}.${member}`)];
  });
}

/** What the platform fills in, from the kind's form on the wire. */
export function filledFields(kind: Kind): string[] {
  const schema = (kind.collection as unknown as { schema: z.ZodObject }).schema;
  const declared = [...Object.keys(kind.inputs.shape), "uid"];
  return Object.keys(schema.shape).filter((name) => !declared.includes(name));
}

/** Values that the platform might fill in. */
export function filledValues(kind: Kind, name: string): fc.Arbitrary<unknown> {
  const schema = (kind.collection as unknown as { schema: z.ZodObject }).schema;
  if (name.endsWith("Time")) return time.map((date) => date.toISOString());
  return valuesOf(schema.shape[name] as Schema);
}

/**
 * Changes of one of the {@link writableFields}, as a patch of the whole object: other values, or none at all.
 *
 * @param current what the field is now
 */
export async function mutations(kind: Kind, field: string, platform: Platform, current: unknown): Promise<fc.Arbitrary<object>> {
  const [name = "", member] = field.split(".");
  const schema = bare(kind.inputs.shape[name] as Schema);
  const none = fc.constant({ [name]: null });
  if (schema === (uid as unknown)) {
    const others = (await platform.objects(collectionOf(name))).map((object) => object.uid);
    return fc.constantFrom(...others.filter((other) => other !== current)).map((other) => ({ [name]: other }));
  }
  const { def } = schema._zod;
  if (def.type !== "object")
    return fc.oneof(
      none,
      differing(valuesOf(schema), current).map((value) => ({ [name]: value })),
    );
  if (member === undefined) return none;
  const inner = (def.shape as Record<string, Schema>)[member];
  const before = (current as Record<string, unknown>)[member];
  const isMap = undeclaredMembers[name]?.find((undeclared) => undeclared.name === member)?.isMap;
  const undeclared = isMap ? fc.dictionary(someText, text, { minKeys: 1, maxKeys: 2 }) : someText;
  return (inner === undefined ? undeclared : differing(valuesOf(inner), before)).map((value) => ({
    [name]: { [member]: value },
  }));
}

/** `values` without what is there already. */
function differing(values: fc.Arbitrary<unknown>, current: unknown): fc.Arbitrary<unknown> {
  return values.filter((value) => JSON.stringify(value) !== JSON.stringify(current));
}

/** Where the objects lie that an input such as `identityUid` names. */
function collectionOf(name: string): string {
  const found = Object.values(areas).find((area) => typeof area === "object" && `${area.noun}Uid` === name);
  if (typeof found !== "object") throw new Error(`no collection is named by the input ${name}`);
  return found.segment;
}

/** The schema without what merely allows a value to be left out. */
function bare(schema: Schema): Schema {
  const { def } = schema._zod;
  if (def.type === "optional" || def.type === "nullable") return bare(def.innerType as Schema);
  return def.type === "pipe" ? bare(def.in as Schema) : schema;
}

/** Any value of `schema`. A uid inside it is left as it is. */
function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  const { def } = bare(schema)._zod;
  switch (def.type) {
    case "string":
      return text;
    case "boolean":
      return fc.boolean();
    case "number":
      return fc.integer();
    case "enum":
      return fc.constantFrom(...Object.values(def.entries));
    case "union":
      return fc.oneof(...def.options.map((option) => valuesOf(option as Schema)));
    case "array":
      return fc.array(valuesOf(def.element as Schema), { maxLength: 3 });
    case "record":
      return fc.dictionary(someText, valuesOf(def.valueType as Schema), { maxKeys: 3 });
    case "object": {
      const members = Object.entries(def.shape as Record<string, Schema>).filter(([name]) => name !== "uid");
      return fc.record(Object.fromEntries(members.map(([name, inner]) => [name, valuesOf(inner)])));
    }
    default:
      throw new Error(`this test cannot make values of the type ${def.type} yet`);
  }
}
