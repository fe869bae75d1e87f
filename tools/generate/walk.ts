import type { Field, Shape } from "../../provider/schema/field";
import type { Kind, ResourceKind } from "../../provider/schema/kind";

/** Doc comments of everything that the package declares, by dotted path: `Identity.claimMatch.issuer`. */
export type Comments = ReadonlyMap<string, string>;

/** The declarable resources of programs. Only objects of the platform have a natural key and a parent. */
export type Declarable = ResourceKind & Partial<Pick<Kind, "naturalKey" | "parentInput">>;

/** True for a field that a program may set. */
export const isInput = ({ by }: Field): boolean => by !== "output" && by !== "detail";

/** True for a field that resources have as an output. */
export const isInState = ({ by }: Field): boolean => by !== "detail" && by !== "check";

/** True for resources that take `adopt` without declaring it, because they have an object. */
export const isAdoptable = ({ fields, naturalKey }: Declarable): boolean => naturalKey !== undefined && !("adopt" in fields);

/** The shape of the items of a list, set or map, at any depth; otherwise the shape itself. */
export function itemOf(shape: Shape): Shape {
  if (shape.is === "uid" && shape.or !== undefined) return shape.or.message;
  return shape.is === "set" || shape.is === "list" || shape.is === "map" ? itemOf(shape.of) : shape;
}

/** The comment of `path`. @throws for a member without a comment, which would be documented nowhere */
export function commentOf(comments: Comments, path: string): string {
  const comment = comments.get(path);
  if (comment === undefined) throw new Error(`${path} has no doc comment.`);
  return comment;
}

/** A comment of an argument without the parts that apply only to its resource. */
export function plain(comment: string): string {
  return without(/^(?:Default:|A change |Changes in place|Another form )/, comment);
}

/** A comment of an argument as the comment of an argument of a function, which has defaults but changes nothing. */
export function asked(comment: string): string {
  return without(/^(?:A change |Changes in place|Another form )/, comment);
}

function without(form: RegExp, comment: string): string {
  const sentences = comment.match(/(?:[^.]|\.(?! |$))+\.?/g) ?? [];
  return sentences
    .map((sentence) => sentence.trim())
    .filter((sentence) => !form.test(sentence))
    .join(" ");
}
