import type { Groups } from "../../provider/schema/choices";
import type { Field, Fields } from "../../provider/schema/field";
import { code, table, typeOf, withDefault } from "./table";
import { commentOf, type Comments, type Declarable, isAdoptable, isInput, itemOf } from "./walk";

/** The rules for how many of some names a program gives. */
interface Choices {
  readonly exactlyOne: Groups<string>;
  readonly atMostOne?: Groups<string>;
}

/** Tables of a page, by the name in their markers. */
export type Tables = Readonly<Record<string, string>>;

interface Row {
  readonly path: string;
  readonly type: string;
  readonly field: Field;
  readonly choice: string | undefined;
  readonly comment: string;
}

/** The tables of a kind's page, by the name in their markers. */
export function tablesOf(kind: Declarable, comments: Comments): { arguments: string; outputs: string } {
  return { arguments: argumentsTable(kind, comments), outputs: outputsTable(kind, comments) };
}

function argumentsTable(kind: Declarable, comments: Comments): string {
  const rows = rowsOf({ owner: kind.name, fields: kind.fields, choices: kind, isShown: isInput }, comments);
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

function outputsTable(kind: Declarable, comments: Comments): string {
  const rows = rowsOf(
    { owner: kind.name, fields: kind.fields, choices: { exactlyOne: [] }, isShown: ({ by }) => by === "output" },
    comments,
  );
  return table(
    ["output", "type", "description"],
    [
      [code("uid"), code("string"), commentOf(comments, "uid")],
      ...rows.map(({ path, type, comment }) => [code(path), code(type), comment]),
    ],
  );
}

/** Fields that a table may show: `owner` is the path of their comments. */
interface Shown {
  readonly owner: string;
  readonly fields: Fields;
  readonly choices: Choices;
  readonly isShown: (field: Field) => boolean;
}

/** A row for each field that `isShown`, each followed by the rows of its members. */
function rowsOf({ owner, fields, choices, isShown }: Shown, comments: Comments, prefix = ""): Row[] {
  const { exactlyOne, atMostOne = [] } = choices;
  return Object.entries(fields)
    .filter(([, field]) => isShown(field))
    .flatMap(([name, field]) => {
      const item = itemOf(field.shape);
      const comment = commentOf(comments, `${owner}.${name}`);
      const choice = choiceOf("exactly", exactlyOne, name) ?? choiceOf("at most", atMostOne, name);
      const row = { path: prefix + name, type: typeOf(field.shape), field, choice, comment };
      if (item.is !== "message") return [row];
      const inner = `${row.path}${item === field.shape ? "" : "[]"}.`;
      const members = { owner: `${owner}.${name}`, fields: item.members, choices: item, isShown };
      return [row, ...rowsOf(members, comments, inner)];
    });
}

/** The rule of the group that `name` is in, for people. */
function choiceOf(howMany: string, groups: Groups<string>, name: string): string | undefined {
  const names = groups.find((each) => each.includes(name));
  return names && `${howMany} one of ${names.map(code).join(", ")}`;
}

/** The default of an argument. */
function presenceOf({ by }: Field, choice: string | undefined, said: string | undefined): string {
  if (choice) return choice;
  if (by === "required" || by === "parent") return "required";
  return said ?? (by === "filled" ? "set by the platform" : "none");
}

/** The description and the default of `adopt`. */
function adoptOf(kind: Declarable, comments: Comments): [text: string, standard: string] {
  if (kind.naturalKey?.length === 0)
    return [`Rejected if true: nothing identifies an existing ${kind.collection.noun}.`, "false"];
  const [text, standard = "none"] = withDefault(
    commentOf(comments, "adopt").replace("natural key", `natural key (${keyOf(kind)})`),
  );
  return [text, standard];
}

/** The inputs that identify an object, for people: `parent and name`. */
function keyOf({ parentInput, naturalKey = [] }: Declarable): string {
  const names = [...new Set([parentInput ?? [], naturalKey].flat())].map((name) => name.replace("Uid", ""));
  return new Intl.ListFormat("en-GB").format(names);
}

/** `page` with the text between the markers of each of `tables` replaced. @throws if a marker is missing */
export function withTables(page: string, tables: Tables): string {
  return Object.entries(tables).reduce<string>((text, [name, content]) => {
    const [begin, end] = [`<!-- generated: ${name} -->`, `<!-- end of ${name} -->`];
    const [start, stop] = [text.indexOf(begin), text.indexOf(end)];
    if (start < 0 || stop < start) throw new Error(`A page has no ${begin} followed by ${end}.`);
    return `${text.slice(0, start)}${begin}\n\n${content}\n\n${text.slice(stop)}`;
  }, page);
}
