const path = require("node:path");
const ts = require("typescript");

const checkout = path.resolve(__dirname, "../..");
const [kindsFile, classesFile, resourceFile, entriesFile, functionsFile, listFile] = [
  "provider/kinds/kinds.ts",
  "sdk/declared.ts",
  "sdk/resource.ts",
  "sdk/components/entries.ts",
  "sdk/functions/data-sources.ts",
  "provider/client/list.ts",
].map((file) => path.join(checkout, file));

/**
 * The doc comments of everything that the package declares, by dotted path: `Group`, `Group.parentUid`, `Identity.claimMatch.issuer`,
 * of a filter of its List, `Group?name`, of `adopt` and `uid`, which every resource has, of what all data sources take, `?uids`, and of
 * the entries of an `Organization`, `GroupContents.access`. Read with the compiler's own types, as editors read them, so that a field may be
 * declared in any file and wrapped in any way.
 *
 * @returns {Map<string, string>}
 */
function readComments() {
  const program = ts.createProgram([kindsFile, classesFile, entriesFile, functionsFile], compilerOptions());
  const reader = new Reader(program);
  const comments = new Map();
  for (const list of ["readableKinds", "composites"])
    for (const property of reader.exported(kindsFile, list)) reader.kind(property, comments);
  comments.set("?uid", reader.memberComment(functionsFile, "ByUid", "uid"));
  for (const name of ["name", "parentUid"]) comments.set(`?${name}`, reader.memberComment(functionsFile, "ByName", name));
  for (const { name } of reader.members(listFile, "Scope"))
    comments.set(`?${name}`, reader.memberComment(listFile, "Scope", name));
  comments.set("adopt", reader.memberComment(classesFile, "AdoptArgs", "adopt"));
  comments.set("uid", reader.memberComment(resourceFile, "PlatformResource", "uid"));
  for (const name of ["identities", "access", "groups"]) {
    comments.set(`GroupContents.${name}`, reader.memberComment(entriesFile, "GroupContents", name));
  }
  return comments;
}

function compilerOptions() {
  const { config } = ts.readConfigFile(path.join(checkout, "tsconfig.json"), ts.sys.readFile);
  return ts.parseJsonConfigFileContent(config, ts.sys, checkout).options;
}

class Reader {
  constructor(program) {
    this.program = program;
    this.checker = program.getTypeChecker();
  }

  /** The symbol that `file` exports as `name`. */
  symbol(file, name) {
    const source = this.program.getSourceFile(file);
    const found = this.checker.getExportsOfModule(this.checker.getSymbolAtLocation(source)).find((each) => each.name === name);
    if (!found) throw new Error(`${path.relative(checkout, file)} exports no ${name}.`);
    return found;
  }

  /** The properties of the constant that `file` exports as `name`. */
  exported(file, name) {
    return this.checker.getTypeOfSymbol(this.symbol(file, name)).getProperties();
  }

  /** The properties of the type that `file` exports as `name`. */
  members(file, name) {
    return this.checker.getDeclaredTypeOfSymbol(this.symbol(file, name)).getProperties();
  }

  memberComment(file, type, member) {
    const found = this.checker.getDeclaredTypeOfSymbol(this.symbol(file, type)).getProperty(member);
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
    for (const filter of this.checker.getNonNullableType(this.checker.getTypeOfSymbol(filters)).getProperties()) {
      comments.set(`${name}?${filter.name}`, this.comment(filter, `${name}?${filter.name}`));
    }
  }

  /** What a shorthand property such as `{ group }` names, where it was declared. */
  variable(property) {
    const value = this.checker.getShorthandAssignmentValueSymbol(property.valueDeclaration) ?? property;
    return value.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(value) : value;
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

  /** The comment of `symbol` on one line, without citations of pages. @param name of what must have one */
  comment(symbol, name) {
    const text = ts.displayPartsToString(symbol?.getDocumentationComment(this.checker) ?? []);
    if (text === "" && name !== undefined) throw new Error(`${name} has no doc comment.`);
    return text === "" ? undefined : text.replace(/ \(docs\/[^)]*\)/g, "").replace(/\s+/g, " ");
  }
}

module.exports = { readComments };
