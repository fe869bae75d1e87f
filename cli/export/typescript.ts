import { compareTexts } from "../../access/compare";
import type { PlatformObject } from "../../inventory/objects";
import { filesOf, type SourceFile, usedBy } from "./layout";
import type { Program } from "./program";
import { bindingsFile, foldsIn, type Fold } from "./folds";
import { braces, commentText, format, type Piece, quotedText, templateText } from "./source-text";
import { expression, members, type Scope } from "./typescript-values";
import type { Resource } from "./values";
import { variablesOf } from "./variables";

/** The root of the export, if the program does not declare it. */
export interface Root {
  readonly uid: string;
  /** Undefined if a name on the way is unknown. */
  readonly path: string | undefined;
}

/** The files of a program in TypeScript, by their paths. @param root the group around it; undefined if the program declares it */
export function typescriptFiles(program: Program, root: Root | undefined): Map<string, string> {
  const files = filesOf(program);
  const byObject = new Map(program.resources.map((resource) => [resource.object, resource]));
  const variables = variablesOf(program.resources);
  const fileOf = new Map(files.flatMap((file) => file.resources.map((resource) => [resource, file] as const)));
  const used = new Map<Resource, Set<SourceFile>>();
  for (const [resource, file] of fileOf)
    for (const each of usedBy(resource, byObject)) used.set(each, (used.get(each) ?? new Set()).add(file));
  const context = { byObject, variables, fileOf, used, root };
  const texts = files.map((file) => [`${file.path}.ts`, new Writer(file, context).text()] as const);
  const usesBind = texts.some(([, text]) => text.includes("\nbind("));
  const constants =
    root === undefined
      ? []
      : [
          [
            "organization.ts",
            constantsOf(
              root,
              texts.map(([, text]) => text),
            ),
          ] as const,
        ];
  const all = new Map<string, string>([...constants, ...(usesBind ? [["bindings.ts", bindingsFile] as const] : [])]);
  for (const [path, text] of texts) all.set(path, path === "organization.ts" ? withConstants(all.get(path) ?? "", text) : text);
  const index = [...all.keys()].filter((path) => path !== "bindings.ts").sort(compareTexts);
  const entry = index.map((path) => `import ${quotedText(`./${path.slice(0, -3)}`)};\n`).join("");
  return new Map([["index.ts", entry], ...[...all].sort(([one], [other]) => compareTexts(one, other))]);
}

/** The names of the constants for the path and the uid of the group around the program. */
const [pathConstant, uidConstant] = ["organization", "organizationUid"];

function constantsOf({ path, uid }: Root, texts: readonly string[]): string {
  const isUsed = (name: string) => texts.some((text) => new RegExp(`\\b${name}\\b`).test(text));
  const lines = [
    ...(path === undefined || !isUsed(pathConstant)
      ? []
      : [`/** Path of the group around this program. */\nexport const ${pathConstant} = ${quotedText(path)};\n`]),
    ...(isUsed(uidConstant)
      ? [`/** Its uid, for arguments that take no path. */\nexport const ${uidConstant} = ${quotedText(uid)};\n`]
      : []),
  ];
  return lines.join("");
}

/** The constants after the imports of the file that declares them. */
function withConstants(constants: string, text: string): string {
  const lines = text.split("\n");
  const last = lines.findLastIndex((line) => /^(import |\} from )/.test(line));
  return [...lines.slice(0, last + 1), "", constants.trimEnd(), ...lines.slice(last + 1)].join("\n");
}

interface Context {
  readonly byObject: ReadonlyMap<PlatformObject, Resource>;
  readonly variables: ReadonlyMap<Resource, string>;
  readonly fileOf: ReadonlyMap<Resource, SourceFile>;
  /** The files that use a resource. */
  readonly used: ReadonlyMap<Resource, ReadonlySet<SourceFile>>;
  readonly root: Root | undefined;
}

/** Writes one file. */
class Writer implements Scope {
  readonly #package = new Set<string>();
  readonly #imports = new Map<string, Set<string>>();
  readonly #written = new Set<Resource>();
  #usesConfig = false;

  constructor(
    private readonly file: SourceFile,
    private readonly context: Context,
  ) {}

  text(): string {
    const folds = foldsIn(this.file.resources);
    const statements: string[] = [];
    let wasLong = false;
    for (const resource of this.file.resources) {
      const fold = folds.get(resource);
      this.#written.add(resource);
      if (fold !== undefined && fold.members.at(-1) !== resource) continue;
      const statement = fold === undefined ? this.#statement(resource) : this.#folded(fold);
      const isLong = statement.includes("\n");
      statements.push(`${isLong || wasLong ? "\n" : ""}${statement}\n`);
      wasLong = isLong;
    }
    const config = this.#usesConfig ? "\nconst config = new pulumi.Config();\n" : "";
    return `${this.#header()}${this.#importLines()}${config}\n${statements.join("").replace(/^\n/, "")}`;
  }

  variableOf(target: PlatformObject): string | undefined {
    const resource = this.context.byObject.get(target);
    const variable = resource && this.context.variables.get(resource);
    const file = resource && this.context.fileOf.get(resource);
    if (resource === undefined || variable === undefined || file === undefined) return undefined;
    if (file === this.file) return this.#written.has(resource) ? variable : undefined;
    // Two files of this sort might use each other.
    if (file.isAccess) return undefined;
    this.#import(file.path, variable);
    return variable;
  }

  constantOf(text: string): string | undefined {
    const { root } = this.context;
    const name = text === root?.path ? pathConstant : text === root?.uid ? uidConstant : undefined;
    if (name !== undefined && this.file.path !== "organization") this.#import("organization", name);
    return name;
  }

  use(name: string): void {
    this.#package.add(name);
  }

  useConfig(): void {
    this.#usesConfig = true;
  }

  #import(path: string, name: string): void {
    this.#imports.set(path, (this.#imports.get(path) ?? new Set()).add(name));
  }

  #statement(resource: Resource): string {
    const { kind, logicalName, args } = resource;
    this.use(kind.name);
    const call: Piece[] = [`new ${kind.name}(${quotedText(logicalName)}, `, members(args, this), endOf(resource)];
    const files = this.context.used.get(resource);
    if (files === undefined) return format(call);
    const isShared = [...files].some((file) => file !== this.file);
    return format([`${isShared ? "export " : ""}const ${this.context.variables.get(resource) ?? ""} = `, ...call]);
  }

  #folded(fold: Fold): string {
    if (fold.is === "tags") {
      this.use("Tag");
      const list = expression(fold.names, this);
      const template = `\`${templateText(fold.prefix)}\${name}\``;
      const args = Object.entries(fold.shared).map(([name, value]): Piece[] => [`${name}: `, ...expression(value, this)]);
      const body = format([`new Tag(${template}, `, braces([["name"], ...args]), ");"], 2);
      return `${format(["for (const name of ", ...list, ") {"])}\n  ${body}\n}`;
    }
    this.#import("bindings", "bind");
    const entries = fold.members.map(({ logicalName }, index): Piece[] => [
      `${quotedText(logicalName)}: `,
      members(fold.own[index] ?? {}, this),
    ]);
    const head: Piece[] = ["bind(", members(fold.place, this), ", ", members(fold.role, this), ", "];
    // One entry on each line, so that a diff shows only the changed entry.
    const lines = entries.map((entry) => `  ${format(entry, 2)},\n`).join("");
    return `${format([...head, "{"])}\n${lines}}${endOf(fold)}`;
  }

  #header(): string {
    const { group, isAccess } = this.file;
    const name = group === undefined ? "the organisation" : commentText(group.path ?? group.uid);
    return isAccess
      ? `// Connections of ${name} with other parts of the tree, such as roles of identities elsewhere.\n`
      : `// ${group === undefined ? "The objects directly in the organisation." : `The group ${name}, and what is in it.`}\n`;
  }

  #importLines(): string {
    const pulumi = this.#usesConfig ? 'import * as pulumi from "@pulumi/pulumi";\n' : "";
    const own = importLine([...this.#package], "pulumi-platform");
    const depth = this.file.path.split("/").length - 1;
    const from = (path: string) => (depth === 0 ? `./${path}` : `${"../".repeat(depth)}${path}`);
    const others = [...this.#imports]
      .sort(([one], [other]) => compareTexts(one, other))
      .map(([path, names]) => importLine([...names], from(path)));
    return `${pulumi}${own}${others.join("")}`;
  }
}

/** The text after the last argument of a call. */
function endOf({ isProtected }: Pick<Resource, "isProtected">): string {
  return isProtected ? ", { protect: true });" : ");";
}

function importLine(names: string[], from: string): string {
  if (names.length === 0) return "";
  const list = braces(names.sort(compareTexts).map((name): Piece[] => [name]));
  return `${format(["import ", list, ` from ${quotedText(from)};`])}\n`;
}
