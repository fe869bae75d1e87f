const { code, table, typeOf, withDefault } = require("./table.js");
const { commentOf, itemOf, plain } = require("./walk.js");

/** Words of one argument of every data source for all objects, by type. */
const scopeTypes = { inRoot: "boolean", uids: "string[]", pageSize: "number" };

/**
 * The tables of the page of a kind's data sources, by the name in their markers.
 *
 * @param sources `one` and `all` make the data sources of a kind; `isShown` selects the fields that they return
 */
function sourceTablesOf(kind, comments, sources) {
  return {
    one: oneTable(kind, comments, sources),
    ...(ownFilters(kind).length > 0 && { all: allTable(kind, comments) }),
    result: table(
      ["field", "type", "description"],
      [
        [code("uid"), code("string"), `Uid of the ${kind.collection.noun}.`],
        ...resultRows(kind.name, kind.fields, comments, sources),
      ],
    ),
  };
}

/** What identifies an object: its uid, or the arguments of its natural key. */
function oneTable(kind, comments, sources) {
  const key = Object.entries(sources.one(kind).rules({})).filter(([name]) => name !== "uid");
  const rows = key.map(([name, rule]) => {
    const isNamed = kind.naturalKey.join() === "name" && (name === "name" || name === "parentUid");
    const comment = commentOf(comments, isNamed ? `?${name}` : `${kind.name}.${name}`);
    return [code(name), code(typeOf(kind.fields[name].shape)), optionality(rule), plain(comment)];
  });
  const uid = [code("uid"), code("string"), rows.length > 0 ? "instead of the others" : "required", commentOf(comments, "?uid")];
  return table(["argument", "type", "", "description"], [uid, ...rows]);
}

function optionality(rule) {
  return rule.safeParse(undefined).success ? "optional" : "required";
}

/** Filters of the kind, besides those of every List. */
function ownFilters({ filters }) {
  return Object.entries(filters).filter(([name]) => name !== "ancestorsOf");
}

function allTable(kind, comments) {
  return table(
    ["argument", "type", "description"],
    ownFilters(kind).map(([name, shape]) => [code(name), code(typeOf(shape)), commentOf(comments, `${kind.name}?${name}`)]),
  );
}

/** What every data source for all objects takes. */
function scopeTable(comments) {
  const names = [...comments.keys()].filter((name) => name.startsWith("?") && !["?uid", "?name", "?parentUid"].includes(name));
  return table(
    ["argument", "type", "description"],
    names.map((name) => [code(name.slice(1)), code(scopeTypes[name.slice(1)] ?? "string"), commentOf(comments, name)]),
  );
}

function resultRows(owner, fields, comments, sources, prefix = "") {
  return Object.entries(fields)
    .filter(([, field]) => sources.isShown(field))
    .flatMap(([name, { shape }]) => {
      const item = itemOf(shape);
      const path = prefix + name;
      const row = [
        code(path),
        code(shape.is === "time" ? "string | null" : typeOf(shape)),
        plain(commentOf(comments, `${owner}.${name}`)),
      ];
      if (item.is !== "message") return [row];
      const inner = item === shape ? `${path}.` : shape.is === "map" ? `${path}[…].` : `${path}[].`;
      return [row, ...resultRows(`${owner}.${name}`, item.members, comments, sources, inner)];
    });
}

/** The data sources of `kinds`, for the overview. */
function functionsTable(kinds, sources) {
  const rows = kinds.map((kind) => {
    const [one, all] = [sources.one(kind), sources.all(kind)];
    const page = `data-sources/${pageName(kind)}`;
    return [
      `[${code(one.call)}](${page})`,
      one.usage.replace(/^.*Pass (.*)\.$/, "$1").replace(/\{[^}]*\}/g, code),
      `[${code(all.call)}](${page})`,
      code(`{ ${kind.segment} }`),
    ];
  });
  return table(["one", "arguments", "all", "result"], rows);
}

/** The tokens by which mocks know the data sources. */
function tokensTable(kinds, sources) {
  const rows = kinds.flatMap((kind) =>
    [
      [sources.one(kind), `the ${kind.collection.noun}`],
      [sources.all(kind), code(`{ ${kind.segment}: [...] }`)],
    ].map(([{ call, area }, result]) => [code(call), code(`platform:${area}:${call}`), result]),
  );
  return table(["function", "token", "result"], rows);
}

/** File of the page of a kind. */
function pageName({ name }) {
  return `${name.replace(/(?!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase()}.md`;
}

/**
 * The tables of the page of a function that follows from no kind.
 *
 * @param read see `readFunctions`
 */
function functionTablesOf({ inputs, outputs }) {
  return {
    arguments: table(
      ["argument", "type", "default", "description"],
      inputs.map(({ name, type, isRequired, description }) => {
        const [text, value] = withDefault(description);
        return [code(name), code(wordsOf(type)), isRequired ? "required" : (value ?? "none"), text];
      }),
    ),
    result: table(
      ["field", "type", "description"],
      memberRows(outputs).map(([name, type, text]) => [code(name), code(type), text]),
    ),
  };
}

function memberRows(members, prefix = "") {
  return members.flatMap(({ name, type, isRequired, description }) => {
    const path = `${prefix}${name}${isRequired ? "" : "?"}`;
    const item = type.is === "list" ? type.of : type;
    const inner = item.is === "object" ? memberRows(item.members, `${prefix}${name}${type.is === "list" ? "[]" : ""}.`) : [];
    return [[path, wordsOf(type), description], ...inner];
  });
}

/** A type for people. */
function wordsOf(type) {
  switch (type.is) {
    case "text":
      return "string";
    case "flag":
      return "boolean";
    case "number":
      return "number";
    case "list":
      return `${wordsOf(type.of)}[]`;
    case "map":
      return `Record<string, ${wordsOf(type.of)}>`;
    case "object":
      return type.name ?? "object";
    default:
      return "unknown";
  }
}

module.exports = { functionsTable, functionTablesOf, pageName, scopeTable, sourceTablesOf, tokensTable };
