const ts = require("typescript");
const { commentAt, exportedSymbol, files, original, programOf } = require("./program.js");

/**
 * The doc comments of everything that the package declares, by dotted path: `Group`, `Group.parentUid`, `Identity.claimMatch.issuer`,
 * of a filter of its List, `Group?name`, of `adopt` and `uid`, which every resource has, of what all data sources take, `?uids`, of a
 * `Provider`, and of the entries of an `Organization`, `GroupContents.access`. Read with the compiler's own types, as editors read them,
 * so that a field may be declared in any file and wrapped in any way.
 *
 * @returns {Map<string, string>}
 */
function readComments() {
  const reader = new Reader(programOf());
  const comments = new Map();
  for (const list of ["readableKinds", "composites", "values"])
    for (const property of reader.exported(files.kinds, list)) reader.kind(property, comments);
  comments.set("?uid", reader.memberComment(files.dataSources, "ByUid", "uid"));
  for (const name of ["name", "parentUid"]) comments.set(`?${name}`, reader.memberComment(files.dataSources, "ByName", name));
  for (const { name } of reader.members(files.list, "ListScope"))
    comments.set(`?${name}`, reader.memberComment(files.list, "ListScope", name));
  comments.set("adopt", reader.memberComment(files.classes, "AdoptArgs", "adopt"));
  for (const { name } of reader.members(files.providerArguments, "ProviderArgs"))
    comments.set(`Provider.${name}`, reader.memberComment(files.providerArguments, "ProviderArgs", name));
  comments.set("Provider", reader.comment(exportedSymbol(reader.program, files.provider, "Provider")));
  comments.set("uid", reader.memberComment(files.resource, "PlatformResource", "uid"));
  for (const name of ["identities", "access", "groups"]) {
    comments.set(`GroupContents.${name}`, reader.memberComment(files.entries, "GroupContents", name));
  }
  return comments;
}

class Reader {
  constructor(program) {
    this.program = program;
    this.checker = program.getTypeChecker();
  }

  /** The properties of the constant that `file` exports as `name`. */
  exported(file, name) {
    return this.checker.getTypeOfSymbol(exportedSymbol(this.program, file, name)).getProperties();
  }

  /** The properties of the type that `file` exports as `name`. */
  members(file, name) {
    return this.checker.getDeclaredTypeOfSymbol(exportedSymbol(this.program, file, name)).getProperties();
  }

  memberComment(file, type, member) {
    const found = this.checker.getDeclaredTypeOfSymbol(exportedSymbol(this.program, file, type)).getProperty(member);
    return this.comment(found, `${type}.${member}`);
  }

  /** Adds the comments of a kind, which `property` of the list of kinds names, and of its fields. */
  kind(property, comments) {
    const variable = this.variable(property);
    const fields = this.checker.getTypeOfSymbol(variable).getProperty("fields");
    const name = this.className(variable);
    comments.set(name, this.comment(variable, name));
    this.fields(name, this.checker.getTypeOfSymbol(fields).getProperties(), comments);
    const filters = this.checker.getTypeOfSymbol(variable).getProperty("filterValues");
    if (filters === undefined) return;
    for (const filter of this.checker.getNonNullableType(this.checker.getTypeOfSymbol(filters)).getProperties()) {
      comments.set(`${name}?${filter.name}`, this.comment(filter, `${name}?${filter.name}`));
    }
  }

  /** What a shorthand property such as `{ group }` names, where it was declared. */
  variable(property) {
    const value = this.checker.getShorthandAssignmentValueSymbol(property.valueDeclaration) ?? property;
    return original(this.program, value);
  }

  /** The `name` of a declaration: the name of its class. */
  className(variable) {
    const [declaration] = variable.valueDeclaration.initializer?.arguments ?? [];
    const name = declaration?.properties?.find((property) => property.name?.text === "name")?.initializer;
    if (!name || !ts.isStringLiteral(name)) throw new Error(`${variable.name} is not declared with a name.`);
    return name.text;
  }

  fields(prefix, fields, comments) {
    for (const field of fields) {
      const name = `${prefix}.${field.name}`;
      const type = this.checker.getTypeOfSymbol(field);
      const comment = this.comment(field);
      if (comment !== undefined) comments.set(name, comment);
      // What a program sets, and what a data source returns.
      for (const side of ["value", "shown"]) this.messages(name, this.checker.getTypeOfSymbol(type.getProperty(side)), comments);
    }
  }

  /** Adds the comments of the members of a message, also within lists and maps. */
  messages(prefix, type, comments) {
    const value = this.checker.getNonNullableType(type);
    const forms = value.isUnion() ? value.types : [value];
    if (!forms.every((form) => form.flags & ts.TypeFlags.Object || form.isIntersection())) return;
    const item = value.getNumberIndexType() ?? value.getStringIndexType();
    if (item) return this.messages(prefix, item, comments);
    for (const member of value.getProperties()) {
      const name = `${prefix}.${member.name}`;
      const comment = this.comment(member);
      if (comment !== undefined) comments.set(name, comment);
      this.messages(name, this.checker.getTypeOfSymbol(member), comments);
    }
  }

  comment(symbol, name) {
    return commentAt(this.program, symbol, name);
  }
}

module.exports = { readComments };
