const ts = require("typescript");
const { commentAt, exportsOf, files, original, programOf } = require("./program.js");

/**
 * The functions that read the platform as a program can call them, from their types: name, description, arguments and result. A member has
 * `name`, `description`, `isRequired` and a `type`: `{ is: "text" | "number" | "flag" | "any" }`, `{ is: "list" | "map", of }`, `{ is: "text", values }` for a text of which some are known, or
 * `{ is: "object", name?, members }`, where `name` is that of an interface. Functions that follow from no kind also have `area`, the area
 * of the API, and `isSecret`.
 */
function readFunctions() {
  const reader = new FunctionReader(programOf());
  return exportsOf(reader.program, files.functions).flatMap((symbol) => reader.function(original(reader.program, symbol)) ?? []);
}

class FunctionReader {
  constructor(program) {
    this.program = program;
    this.checker = program.getTypeChecker();
  }

  /** Undefined for what is no function, and for the form of a function that takes outputs. */
  function(symbol) {
    if (!(symbol.flags & ts.SymbolFlags.Variable) || symbol.name.endsWith("Output")) return undefined;
    const [signature] = this.checker.getTypeOfSymbol(symbol).getCallSignatures();
    if (signature === undefined) return undefined;
    const [args] = signature.getParameters();
    const result = this.checker.getAwaitedType(signature.getReturnType());
    return {
      call: symbol.name,
      description: this.comment(symbol, symbol.name),
      inputs: this.members(this.checker.getTypeOfSymbol(args), symbol.name),
      outputs: this.members(result, `the result of ${symbol.name}`),
      ...this.source(symbol),
    };
  }

  /** What the object literal in `plainForm(source)` says. */
  source(symbol) {
    const [argument] = symbol.valueDeclaration.initializer?.arguments ?? [];
    if (argument === undefined) return {};
    const members = this.literalMembers(argument);
    return { area: members.get("area").text, isSecret: members.get("isSecret")?.kind === ts.SyntaxKind.TrueKeyword };
  }

  /** The members of the object literal that `expression` names, also those that it takes from other literals. */
  literalMembers(expression) {
    const literal = original(this.program, this.checker.getSymbolAtLocation(expression)).valueDeclaration.initializer;
    const entries = literal.properties.flatMap((property) =>
      ts.isSpreadAssignment(property)
        ? [...this.literalMembers(property.expression)]
        : [[property.name.text, property.initializer]],
    );
    return new Map(entries);
  }

  /** The members of a type; of alternatives, those of all. */
  members(type, owner) {
    const forms = this.forms(type);
    const names = [...new Set(forms.flatMap((form) => form.getProperties().map(({ name }) => name)))];
    return names.map((name) => {
      const symbols = forms.map((form) => form.getProperty(name));
      // An alternative without the member has it as `undefined`.
      const used = symbols.filter((symbol) => symbol && this.forms(this.checker.getTypeOfSymbol(symbol)).length > 0);
      const types = used.map((symbol) => this.checker.getTypeOfSymbol(symbol));
      const isRequired =
        used.length === forms.length && used.every((symbol, index) => !isOptional(symbol) && !this.isEmpty(types[index]));
      const path = `${owner}.${name}`;
      return { name, description: this.comment(used[0], path), isRequired, type: this.type(types[0], path) };
    });
  }

  /** What a value can be, besides nothing. */
  forms(type) {
    return (type.isUnion() ? type.types : [type]).filter((each) => !(each.flags & nothing));
  }

  /** Whether a value may be missing. */
  isEmpty(type) {
    return type.isUnion() && type.types.some((each) => each.flags & nothing);
  }

  type(type, path) {
    const forms = this.forms(type);
    const [form] = forms;
    const all = (flag) => forms.every((each) => each.flags & flag);
    // An open enum is an intersection of string.
    if (forms.every((each) => this.checker.isTypeAssignableTo(each, this.checker.getStringType()))) {
      // The compiler lists them in no lasting order.
      const values = forms.flatMap((each) => (each.isStringLiteral() ? [each.value] : [])).sort();
      return { is: "text", ...(values.length > 1 && { values }) };
    }
    if (all(ts.TypeFlags.NumberLike)) return { is: "number" };
    if (all(ts.TypeFlags.BooleanLike)) return { is: "flag" };
    const item = form.getNumberIndexType();
    if (item) return { is: "list", of: this.type(item, path) };
    const value = form.getStringIndexType();
    if (value && form.getProperties().length === 0) return { is: "map", of: this.type(value, path) };
    if (!all(ts.TypeFlags.Object | ts.TypeFlags.Intersection)) return { is: "any" };
    const name = form.symbol && form.symbol.flags & ts.SymbolFlags.Interface ? form.symbol.name : undefined;
    return { is: "object", name, members: this.members(form, path) };
  }

  /** The comment of what `name` names. Lists of objects are called as the platform calls them, where nothing says what they are. */
  comment(symbol, name) {
    if (/^the result of \w+s\.\w+$/.test(name) && commentAt(this.program, symbol) === undefined)
      return "All that the filters select.";
    return commentAt(this.program, symbol, name).replace(/\{@link (\w+)\}/g, "`$1`");
  }
}

const nothing = ts.TypeFlags.Undefined | ts.TypeFlags.Null | ts.TypeFlags.Never;

function isOptional(symbol) {
  return (symbol.flags & ts.SymbolFlags.Optional) !== 0;
}

module.exports = { readFunctions };
