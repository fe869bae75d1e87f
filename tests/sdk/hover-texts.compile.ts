import path from "node:path";
import ts from "typescript";
import type { Schema, SchemaProperty } from "../../tools/generate/schema-form";
import { checkout, read } from "../docs/markdown";

/** The types as the package ships them, which `npm run build` makes. */
const entry = path.join(checkout, "dist/sdk/index.d.ts");
const program = ts.createProgram([entry], {
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: [],
});
const checker = program.getTypeChecker();

const isOurs = ({ declarations = [] }: ts.Symbol) =>
  declarations.some((each) => each.getSourceFile().fileName.startsWith(path.dirname(path.dirname(entry))));
const commentOf = (symbol: ts.Symbol) => ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim();

/** The forms of a type that may have members. */
function formsOf(type: ts.Type): ts.Type[] {
  const plain = ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.BooleanLike | nothing;
  return (type.isUnion() ? type.types : [type]).filter(({ flags }) => !(flags & plain));
}

const nothing = ts.TypeFlags.Undefined | ts.TypeFlags.Null | ts.TypeFlags.Never;

/** True for a member that a form of a type must not have. */
const isRefused = (type: ts.Type) => (type.isUnion() ? type.types : [type]).every(({ flags }) => flags & nothing);

/** The comment of each member of our own in a type, by its path, with those in outputs, lists and maps. */
function commentsIn(type: ts.Type, at: string, seen: ReadonlySet<ts.Type> = new Set()): [path: string, comment: string][] {
  return formsOf(type)
    .filter((form) => !seen.has(form))
    .flatMap((form) => {
      const beyond = new Set([...seen, form]);
      const items = [form.getStringIndexType(), ...itemsOf(form)].flatMap((item) => item ?? []);
      const members = form.getProperties().filter((member) => isOurs(member) && !isRefused(checker.getTypeOfSymbol(member)));
      return [
        ...items.flatMap((item) => commentsIn(item, at, beyond)),
        ...members.flatMap((member): [string, string][] => {
          const inner = `${at}.${member.name}`;
          return [[inner, commentOf(member)], ...commentsIn(checker.getTypeOfSymbol(member), inner, beyond)];
        }),
      ];
    });
}

/** The types in a list, a promise or an output. */
function itemsOf(type: ts.Type): readonly ts.Type[] {
  const isReference = (type as ts.ObjectType).objectFlags & ts.ObjectFlags.Reference;
  return isReference && !isOurs(type.symbol) ? checker.getTypeArguments(type as ts.TypeReference) : [];
}

const module_ = checker.getSymbolAtLocation(program.getSourceFile(entry) as ts.Node) as ts.Symbol;
const exported = checker
  .getExportsOfModule(module_)
  .map((each) => (each.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(each) : each));

test("every export of the package, and every member of its types, has a text to hover over", () => {
  const types = exported.filter(({ flags }) => flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias));
  const comments = new Map([
    ...exported.map((each): [string, string] => [each.name, commentOf(each)]),
    ...types.flatMap((each) => commentsIn(checker.getDeclaredTypeOfSymbol(each), each.name)),
  ]);
  for (const path of ["RoleArgs.capabilities", "IdentityArgs.claimMatch.subjectPattern", "TeamArgs.pipeline.claimMatch.issuer"])
    expect([path, comments.get(path)]).toEqual([path, expect.stringMatching(/\w/)]);
  expect([...comments].flatMap(([path, comment]) => (comment === "" ? [path] : []))).toEqual([]);
});

test("every argument and result in schema.json has a description, which SDKs show", () => {
  const schema = JSON.parse(read("schema.json")) as Schema;
  const described: [string, Readonly<Record<string, SchemaProperty>> | undefined][] = [
    ...Object.entries(schema.resources).flatMap(([token, { properties, inputProperties, listInputs }]) =>
      [properties, inputProperties, listInputs?.properties].map((each): (typeof described)[number] => [token, each]),
    ),
    ...Object.entries(schema.functions).flatMap(([token, { inputs, outputs }]) =>
      [inputs.properties, outputs.properties].map((each): (typeof described)[number] => [token, each]),
    ),
    ...Object.entries(schema.types).map(([token, { properties }]): (typeof described)[number] => [token, properties]),
    ["config", schema.config.variables],
    ["provider", schema.provider.inputProperties],
  ];
  const missing = described.flatMap(([token, properties = {}]) =>
    Object.entries(properties).flatMap(([name, { description }]) => (description.trim() === "" ? [`${token}.${name}`] : [])),
  );
  expect(missing).toEqual([]);
  expect(described.length).toBeGreaterThan(100);
});
