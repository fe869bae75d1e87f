import ts from "typescript";
import { claimHelpers } from "../../provider/claims/helpers";
import { identity } from "../../provider/kinds/identity";
import type { Shape } from "../../provider/schema/field";
import { argumentOf, files, initializerOf, Program } from "./program";

/** The type of a value. `values` are the known texts; `name` is the name of an interface, or of a message of a kind. */
export type DescribedType =
  | { readonly is: "number" | "flag" | "any" }
  | { readonly is: "text"; readonly values?: readonly string[] }
  | { readonly is: "list" | "map"; readonly of: DescribedType }
  | { readonly is: "message"; readonly name: string }
  | { readonly is: "object"; readonly name?: string; readonly members: readonly DescribedMember[] };

/** An argument of a function, or a member of a result. */
export interface DescribedMember {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly type: DescribedType;
}

/** A function of the package, described by its types. */
export interface DescribedFunction {
  readonly call: string;
  readonly description: string;
  readonly inputs: readonly DescribedMember[];
  readonly outputs: readonly DescribedMember[];
  /** The area of the API, for a function without a kind. */
  readonly area?: string;
  readonly isSecret?: boolean;
  /** True for a claim helper, which reads nothing. */
  readonly isHelper?: true;
}

/** The same with the area of each. Functions of a kind also have `row`, the name of the type of its objects. */
export interface PlacedFunction extends DescribedFunction {
  readonly area: string;
  readonly row?: string;
}

/** The functions for reading the platform in programs, and the claim helpers, from their types. */
export function readFunctions(): readonly DescribedFunction[] {
  const program = Program.get();
  const reader = new FunctionReader(program);
  return [
    ...program.exportsOf(files.functions).flatMap((symbol) => reader.function(program.original(symbol))),
    ...claimHelpers.map(({ call, makes }) =>
      reader.helper(program.original(program.exported(files.functions, call)), makes, identity.fields[makes].shape),
    ),
  ];
}

class FunctionReader {
  constructor(private readonly program: Program) {}

  /** Empty for other values than functions, and for the form of a function that takes outputs. */
  function(symbol: ts.Symbol): DescribedFunction[] {
    const { checker } = this.program;
    if (!(symbol.flags & ts.SymbolFlags.Variable) || symbol.name.endsWith("Output")) return [];
    const [signature] = this.program.typeOf(symbol).getCallSignatures();
    const [args] = signature?.getParameters() ?? [];
    const result = signature && checker.getAwaitedType(signature.getReturnType());
    if (args === undefined || result === undefined) return [];
    const described = {
      call: symbol.name,
      description: this.#comment(symbol, symbol.name),
      inputs: this.#members(this.program.typeOf(args), symbol.name),
      outputs: this.#members(result, `the result of ${symbol.name}`),
      ...this.#source(symbol),
    };
    return [described];
  }

  /**
   * A claim helper. Its arguments are those of all its forms.
   *
   * @param makes the argument of an identity that takes its result
   * @param shape of that argument
   */
  helper(symbol: ts.Symbol, makes: string, shape: Shape): DescribedFunction {
    const signatures = this.program.typeOf(symbol).getCallSignatures();
    const forms = signatures.flatMap((signature) =>
      signature.getParameters().flatMap((args) => formsOf(this.program.typeOf(args))),
    );
    if (shape.is !== "message") throw new Error(`${makes} of an identity is no message.`);
    const description = `The claims, for the argument \`${makes}\` of an identity.`;
    return {
      call: symbol.name,
      description: this.#comment(symbol, symbol.name),
      inputs: this.#membersOf(forms, symbol.name),
      outputs: [{ name: makes, description, isRequired: true, type: { is: "message", name: shape.name } }],
      isHelper: true,
    };
  }

  /** The content of the object literal in `plainForm(source)`. */
  #source(symbol: ts.Symbol): Pick<DescribedFunction, "area" | "isSecret"> {
    const argument = argumentOf(symbol);
    if (argument === undefined) return {};
    const members = this.#literalMembers(argument);
    const area = members.get("area");
    if (!area || !ts.isStringLiteral(area)) throw new Error(`${symbol.name} has no area.`);
    return { area: area.text, isSecret: members.get("isSecret")?.kind === ts.SyntaxKind.TrueKeyword };
  }

  /** The members of the object literal in `expression`, including members spread from other literals. */
  #literalMembers(expression: ts.Expression): Map<string, ts.Expression> {
    const symbol = this.program.checker.getSymbolAtLocation(expression);
    const literal = symbol && initializerOf(this.program.original(symbol));
    if (!literal || !ts.isObjectLiteralExpression(literal)) return new Map();
    return new Map(
      literal.properties.flatMap((property): [string, ts.Expression][] => {
        if (ts.isSpreadAssignment(property)) return [...this.#literalMembers(property.expression)];
        if (!ts.isPropertyAssignment(property) || !ts.isIdentifier(property.name)) return [];
        return [[property.name.text, property.initializer]];
      }),
    );
  }

  /** The members of a type; for alternatives, the members of all. */
  #members(type: ts.Type, owner: string): DescribedMember[] {
    return this.#membersOf(formsOf(type), owner);
  }

  #membersOf(forms: readonly ts.Type[], owner: string): DescribedMember[] {
    const names = [...new Set(forms.flatMap((form) => form.getProperties().map(({ name }) => name)))];
    return names.flatMap((name) => {
      const symbols = forms.flatMap((form) => form.getProperty(name) ?? []);
      // An alternative without the member has it as `undefined`.
      const used = symbols.filter((symbol) => formsOf(this.program.typeOf(symbol)).length > 0);
      const [first] = used;
      if (first === undefined) return [];
      const isAlwaysSet = (symbol: ts.Symbol) => !isOptional(symbol) && !isEmpty(this.program.typeOf(symbol));
      const path = `${owner}.${name}`;
      return {
        name,
        description: this.#comment(first, path),
        isRequired: used.length === forms.length && used.every(isAlwaysSet),
        type: this.#type(this.program.typeOf(first), path),
      };
    });
  }

  #type(type: ts.Type, path: string): DescribedType {
    const { checker } = this.program;
    const forms = formsOf(type);
    const all = (flag: ts.TypeFlags) => forms.every((each) => each.flags & flag);
    // An open enum is an intersection of string.
    if (forms.every((each) => checker.isTypeAssignableTo(each, checker.getStringType()))) {
      // The compiler lists them in an unstable order.
      const values = forms.flatMap((each) => (each.isStringLiteral() ? [each.value] : [])).sort();
      return { is: "text", ...(values.length > 1 && { values }) };
    }
    if (all(ts.TypeFlags.NumberLike)) return { is: "number" };
    if (all(ts.TypeFlags.BooleanLike)) return { is: "flag" };
    const [form] = forms;
    if (form === undefined) return { is: "any" };
    const item = form.getNumberIndexType();
    if (item) return { is: "list", of: this.#type(item, path) };
    const value = form.getStringIndexType();
    if (value && form.getProperties().length === 0) return { is: "map", of: this.#type(value, path) };
    if (!all(ts.TypeFlags.Object | ts.TypeFlags.Intersection)) return { is: "any" };
    const symbol = form.getSymbol();
    const isNamed = symbol && symbol.flags & ts.SymbolFlags.Interface;
    return { is: "object", ...(isNamed && { name: symbol.name }), members: this.#members(form, path) };
  }

  /** The comment of `name`. Without a comment, lists of objects are described by the platform's name for them. */
  #comment(symbol: ts.Symbol, name: string): string {
    if (/^the result of \w+s\.\w+$/.test(name) && this.program.comment(symbol) === undefined)
      return "All that the filters select.";
    return this.program.requiredComment(symbol, name).replace(/\{@link (\w+)\}/g, "`$1`");
  }
}

const nothing = ts.TypeFlags.Undefined | ts.TypeFlags.Null | ts.TypeFlags.Never;

/** The alternatives of a value, except missing ones. */
function formsOf(type: ts.Type): ts.Type[] {
  return (type.isUnion() ? type.types : [type]).filter((each) => !(each.flags & nothing));
}

/** Whether a value may be missing. */
function isEmpty(type: ts.Type): boolean {
  return type.isUnion() && type.types.some((each) => each.flags & nothing);
}

function isOptional(symbol: ts.Symbol): boolean {
  return (symbol.flags & ts.SymbolFlags.Optional) !== 0;
}
