const { code, table, typeOf, withDefault } = require("./table.js");
const { commentOf, isAdoptable, isInput, itemOf } = require("./walk.js");

/** The tables of a kind's page, by the name in their markers. */
function tablesOf(kind, comments) {
  return { arguments: argumentsTable(kind, comments), outputs: outputsTable(kind, comments) };
}

function argumentsTable(kind, comments) {
  const rows = rowsOf(kind.name, kind.fields, kind, isInput, comments);
  const adopt = isAdoptable(kind) ? [adoptOf(kind, comments)] : [];
  return table(
    ["argument", "type", "default", "description"],
    [
      ...rows.map(({ path, type, field, choice, comment }) => [
        code(path),
        code(type),
        presenceOf(field, choice, withDefault(comment)[1]),
        withDefault(comment)[0],
      ]),
      ...adopt.map(([text, value]) => [code("adopt"), code("boolean"), value, text]),
    ],
  );
}

function outputsTable(kind, comments) {
  const rows = rowsOf(kind.name, kind.fields, { exactlyOne: [] }, ({ by }) => by === "output", comments);
  return table(
    ["output", "type", "description"],
    [
      [code("uid"), code("string"), commentOf(comments, "uid")],
      ...rows.map(({ path, type, comment }) => [code(path), code(type), comment]),
    ],
  );
}

/** A row for each field that `isShown`, each followed by those of its members. */
function rowsOf(owner, fields, { exactlyOne, atMostOne = [] }, isShown, comments, prefix = "") {
  return Object.entries(fields)
    .filter(([, field]) => isShown(field))
    .flatMap(([name, field]) => {
      const item = itemOf(field.shape);
      const comment = commentOf(comments, `${owner}.${name}`);
      const choice = choiceOf("exactly", exactlyOne, name) ?? choiceOf("at most", atMostOne, name);
      const row = { path: prefix + name, type: typeOf(field.shape), field, choice, comment };
      if (item.is !== "message") return [row];
      const inner = `${row.path}${item === field.shape ? "" : "[]"}.`;
      return [row, ...rowsOf(`${owner}.${name}`, item.members, item, isShown, comments, inner)];
    });
}

/** The rule of the group that `name` is in, for people. */
function choiceOf(howMany, groups, name) {
  const names = groups.find((each) => each.includes(name));
  return names && `${howMany} one of ${names.map(code).join(", ")}`;
}

/** The default of an argument. */
function presenceOf({ by }, choice, said) {
  if (choice) return choice;
  if (by === "required" || by === "parent") return "required";
  return said ?? (by === "filled" ? "set by the platform" : "none");
}

/** The description and the default of `adopt`. */
function adoptOf(kind, comments) {
  if (kind.naturalKey.length === 0) return [`Rejected if true: nothing identifies an existing ${kind.collection.noun}.`, "false"];
  return withDefault(commentOf(comments, "adopt").replace("natural key", `natural key (${keyOf(kind)})`));
}

/** The inputs that identify an object, for people: `parent and name`. */
function keyOf({ parentInput, naturalKey }) {
  const names = [...new Set([parentInput, ...naturalKey])].map((name) => name.replace("Uid", ""));
  return new Intl.ListFormat("en-GB").format(names);
}

/** `page` with the text between the markers of each of `tables` replaced. @throws where a marker is missing */
function withTables(page, tables) {
  return Object.entries(tables).reduce((text, [name, content]) => {
    const [begin, end] = [`<!-- generated: ${name} -->`, `<!-- end of ${name} -->`];
    const [start, stop] = [text.indexOf(begin), text.indexOf(end)];
    if (start < 0 || stop < start) throw new Error(`A page has no ${begin} followed by ${end}.`);
    return `${text.slice(0, start)}${begin}\n\n${content}\n\n${text.slice(stop)}`;
  }, page);
}

module.exports = { tablesOf, withTables };
