import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { literal } from "../client/printable";
import { hasPlatformForm } from "../client/uid";
import { derivedOnce } from "./derived";
import type { Field, Fields, Reference, ReferenceShape } from "./field";
import { issuerUrl, plainText, required, someText, unknownValue } from "./inputs";
import { isValues, type Values } from "./values";

/** An identity by its path, or by issuer and subject of its tokens. */
export type IdentityRef =
  | string
  | {
      /** Issuer of the tokens of the identity, exactly. */
      readonly issuer: string;
      /** Subject of the tokens of the identity, exactly. */
      readonly subject: string;
    };

/**
 * The name of the role whose uid is in the field `uid`.
 *
 * @param place the field with the uid of the group that grants the role. Default: the parent
 */
export function roleName<const Uid extends string = "roleUid">(uid = "roleUid" as Uid, place?: string): Reference<string, Uid> {
  return { by: "reference", shape: { is: "reference", to: "role", uid, ...(place !== undefined && { place }) }, traits: {} };
}

/** The fields that a program may set instead of `parentUid`. */
export interface ParentReference {
  /** Path of the parent group, instead of `parentUid`: names from the root organisation down, such as `acme/engineering`. For groups of other programs. A change replaces the resource, unless it means the same group. */
  readonly parentPath: Reference<string, "parentUid">;
}

// `Fields` takes no interface, because an interface may gain members of any type.
/** The fields of a kind whose objects are in groups: `fields`, with `parentPath` after `parentUid`. */
export function inGroup<const F extends Fields & { readonly parentUid: Field }>(
  fields: F,
): F & Pick<ParentReference, "parentPath"> {
  const shape = { is: "reference", to: "group", uid: "parentUid" } as const;
  const parentPath: ParentReference["parentPath"] = { by: "reference", shape, traits: { immutable: true } };
  const { parentUid, ...others } = fields;
  return { parentUid, parentPath, ...others } as F & ParentReference;
}

/** Path, or issuer and subject, of the identity whose uid is in the field `identityUid`. */
export function identityRef(): Reference<IdentityRef, "identityUid"> {
  return { by: "reference", shape: { is: "reference", to: "identity", uid: "identityUid" }, traits: {} };
}

/** A reference among the fields of a kind. */
export interface DeclaredReference extends ReferenceShape {
  readonly name: string;
}

/** The references among `fields` whose uid is a field too. */
export const referencesOf = derivedOnce((fields: Fields): readonly DeclaredReference[] =>
  Object.entries(fields).flatMap(([name, { shape }]) =>
    shape.is === "reference" && shape.uid in fields ? [{ ...shape, name }] : [],
  ),
);

/** The names of each uid and of the references instead of it. */
export function referencePairs(fields: Fields): string[][] {
  return referencesOf(fields).map(({ uid, name }) => [uid, name]);
}

/** The references that `inputs` set. */
export function givenIn(fields: Fields, inputs: Values): DeclaredReference[] {
  return referencesOf(fields).filter(({ name }) => isGiven(inputs[name]));
}

/** The reference in `inputs` instead of the uid in the field `uid`. */
export function givenFor(fields: Fields, uid: string, inputs: Values): DeclaredReference | undefined {
  return givenIn(fields, inputs).find((reference) => reference.uid === uid);
}

/** The member of the state with the uids that references were resolved to, if the platform has changed them since. */
const resolvedUids = "__resolved";

/** The uid that the reference in the state or inputs `values` was resolved to. */
export function resolvedUid(values: Values, uid: string): unknown {
  const record = values[resolvedUids];
  return (isValues(record) ? record[uid] : undefined) ?? values[uid];
}

/**
 * The parts of references that state, and the inputs that a refresh finds, keep besides the uids on the platform. They are the texts and,
 * if it differs, the resolved uid. Without the resolved uid, a repair would resolve the name again, perhaps to another object of that name.
 */
export function keptReferences(fields: Fields, observed: Values, known: Values): Record<string, unknown> {
  const given = givenIn(fields, known).filter(({ uid }) => isGiven(resolvedUid(known, uid)));
  const drifted = given.filter(({ uid }) => observed[uid] !== resolvedUid(known, uid));
  return {
    ...Object.fromEntries(given.map(({ name }) => [name, known[name]])),
    ...(drifted.length > 0 && { [resolvedUids]: Object.fromEntries(drifted.map(({ uid }) => [uid, resolvedUid(known, uid)])) }),
  };
}

/** `state`, or inputs, without the record of resolved uids. */
export function withoutRecord({ [resolvedUids]: _, ...state }: Values): Record<string, unknown> {
  return state;
}

/**
 * `news` with the uid of each reference that is unchanged from the state `olds`. An unchanged reference keeps meaning the object to which it was
 * resolved. An unknown reference has an unknown uid.
 */
export function withKnownUids(fields: Fields, olds: Values, news: Values): Record<string, unknown> {
  const uids = givenIn(fields, news).flatMap(({ name, uid }): [string, unknown][] => {
    if (isGiven(news[uid])) return [];
    if (isUnknown(news[name])) return [[uid, unknownValue]];
    const resolved = resolvedUid(olds, uid);
    return isSame(olds[name], news[name]) && isGiven(resolved) ? [[uid, resolved]] : [];
  });
  return { ...news, ...Object.fromEntries(uids) };
}

/**
 * The inputs in state with the uid to which each reference was resolved. The platform may show another uid by now.
 */
export function meantUids(fields: Fields, outputs: Values, inputs: Values): Record<string, unknown> {
  const known = withKnownUids(fields, outputs, inputs);
  return { ...known, ...Object.fromEntries(givenIn(fields, known).map(({ uid }) => [uid, resolvedUid(known, uid)])) };
}

/** Names of the references that differ between program and state, regardless of their objects. */
export function changedReferences(fields: Fields, olds: Values, news: Values): string[] {
  return referencesOf(fields).flatMap(({ name }) => (isSame(olds[name], news[name]) ? [] : [name]));
}

/** The references in both state and program whose uid on the platform is no longer the resolved one. */
export function driftedReferences(fields: Fields, olds: Values, news: Values): DeclaredReference[] {
  return givenIn(fields, olds).filter(({ name, uid }) => isGiven(news[name]) && resolvedUid(olds, uid) !== olds[uid]);
}

/** True for a reference that is unknown, or has an unknown member. */
export function isUnknown(reference: unknown): boolean {
  return reference === unknownValue || (isValues(reference) && Object.values(reference).includes(unknownValue));
}

/** True for a value that a program sets. For an unset value, the engine passes null, and a pipeline passes an empty text. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "";
}

/** True for two references with the same text. */
export function isSame(one: unknown, other: unknown): boolean {
  if (!isGiven(one) || !isGiven(other)) return isGiven(one) === isGiven(other);
  // The engine's objects have another prototype.
  return isValues(one) && isValues(other) ? isDeepStrictEqual({ ...one }, { ...other }) : one === other;
}

/** Names joined by single slashes. */
const path = plainText
  .refine((text) => text === "" || !hasPlatformForm(text), {
    error: ({ input }) => `${literal(input)} is a uid; a path has names, from the root organisation down`,
  })
  .refine((text) => text.split("/").every((name) => name !== ""), {
    error: ({ input }) => `${literal(input)} must be names joined by single slashes, from the root organisation down`,
  });

const byLogin = z.strictObject({ issuer: issuerUrl, subject: someText });
const identityPath = path.refine((text) => text === "" || text.includes("/"), {
  error: ({ input }) => `${literal(input)} must be the path of a group and the name of an identity in it, such as "acme/shop/ci"`,
});

/** Chooses the rule by the type of the value, so that a message names the wrong member. */
const anyIdentity = z.unknown().superRefine((value, context) => {
  const isText = typeof value === "string";
  if (!isText && !isValues(value)) {
    context.addIssue({
      code: "custom",
      message: required('must be a path such as "acme/shop/ci", or { issuer, subject }')({ input: value }),
    });
    return;
  }
  for (const issue of (isText ? identityPath : byLogin).safeParse(value).error?.issues ?? []) {
    const message = issue.code === "unrecognized_keys" ? "must be { issuer, subject } and nothing else" : issue.message;
    context.addIssue({ code: "custom", path: [...issue.path], message });
  }
});

/** The form of each sort of reference. */
export const referenceRules: Readonly<Record<ReferenceShape["to"], z.ZodType>> = {
  role: someText,
  group: path,
  identity: anyIdentity,
};
