/** True for a field that a program may set. */
const isInput = ({ by }) => by !== "output" && by !== "detail";

/** True for a field that resources have as an output. */
const isInState = ({ by }) => by !== "detail" && by !== "check";

/** True for resources that take `adopt` without declaring it: those with an object. */
const isAdoptable = ({ fields, naturalKey }) => naturalKey !== undefined && !("adopt" in fields);

/** The shape of the items of a list, set or map, at any depth; else the shape itself. */
function itemOf(shape) {
  return shape.is === "set" || shape.is === "list" || shape.is === "map" ? itemOf(shape.of) : shape;
}

/** The comment of what `path` names. @throws for one without a comment: it would be documented nowhere */
function commentOf(comments, path) {
  const comment = comments.get(path);
  if (comment === undefined) throw new Error(`${path} has no doc comment.`);
  return comment;
}

/** A comment of an argument without what only its resource does. */
function plain(comment) {
  const sentences = comment.match(/(?:[^.]|\.(?! |$))+\.?/g) ?? [];
  return sentences
    .map((sentence) => sentence.trim())
    .filter((sentence) => !/^(?:Default:|A change |Changes in place|Another form )/.test(sentence))
    .join(" ");
}

module.exports = { commentOf, isAdoptable, isInput, isInState, itemOf, plain };
