import type { Alias, CST, Document as ParsedDocument, LineCounter, Node, Pair, YAMLMap } from "yaml";
import { literal } from "../../provider/client/printable";
import type { KeyPath } from "./plan";

/** A place in a file; both count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A problem of a file, with its place. */
interface DocumentProblem {
  readonly position: Position;
  readonly reason: string;
}

/** A YAML or JSON file, with its value and the places of its parts. */
export interface Document {
  /** Undefined for an empty file. */
  readonly value: unknown;
  /** Problems of the file itself. */
  readonly problems: readonly DocumentProblem[];
  /** Whether `value` is complete, because its only problems are repeated keys, of which the first one applies. */
  readonly isReadable: boolean;
  /** The position of the key that leads to `path`; of the nearest key around it if there is none. */
  positionOf(path: KeyPath): Position;
}

/** Most values that aliases may stand for. A few short lines of aliases of aliases can stand for more than fit into memory. */
const mostAliased = 100_000;

/**
 * Most levels of lists and maps. The library's composer is recursive, so a file of brackets would exhaust its stack. Uids allow half as
 * many.
 */
const mostLevels = 400;

const tooManyLevels = `is nested more than ${mostLevels} levels deep`;

/** The value of a YAML or JSON text. */
export function parseDocument(text: string): Document {
  const { Composer, LineCounter: Lines, Parser } = yaml();
  const lines = new Lines();
  const tokens = [...new Parser(lines.addNewLine).parse(text)];
  const deep = tokens.map((token) => tooDeep(token)).find((offset) => offset !== undefined);
  if (deep !== undefined) {
    const problem = { position: positionAt(lines, deep), reason: tooManyLevels };
    return { value: undefined, problems: [problem], isReadable: false, positionOf: () => start };
  }
  // Repeated keys are found below, together with all other problems.
  const documents = [...new Composer({ uniqueKeys: false, prettyErrors: false }).compose(tokens, true, text.length)];
  return new DocumentReader(documents, lines).document();
}

/** The offset at which `root` is nested too deeply, if it is. */
function tooDeep(root: CST.Token): number | undefined {
  const open: [token: CST.Token, levels: number][] = [[root, 0]];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    const [token, levels] = each;
    if (levels > mostLevels) return token.offset;
    const inner =
      token.type === "document" ? [token.value] : "items" in token ? token.items.flatMap(({ key, value }) => [key, value]) : [];
    for (const child of inner) if (child) open.push([child, levels + 1]);
  }
  return undefined;
}

function positionAt(lines: LineCounter, offset: number): Position {
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}

const start: Position = { line: 1, column: 1 };

/** Whether a node is read where it is written, or again for an alias. */
type Reading = "written" | "aliased";

class DocumentReader {
  readonly #parsed: ParsedDocument.Parsed;
  readonly #lines: LineCounter;
  readonly #problems: DocumentProblem[] = [];
  /** Where the key of each path starts, by the path as JSON. */
  readonly #offsets = new Map<string, number>();
  /** The nodes that anchors name, up to the node being read. */
  readonly #anchors = new Map<string, Node>();
  /** The target of each alias as written. */
  readonly #targets = new Map<Alias, Node | undefined>();
  /** Values that aliases stood for so far. */
  #aliased = 0;
  /** How many of the problems are repeated keys. */
  #repeated = 0;

  constructor([parsed, second]: readonly ParsedDocument.Parsed[], lines: LineCounter) {
    this.#parsed = parsed as ParsedDocument.Parsed;
    this.#lines = lines;
    if (second !== undefined) this.#reject(second.range[0], "the file contains a second document; it must contain only one");
  }

  document(): Document {
    for (const { pos, message } of [...this.#parsed.errors, ...this.#parsed.warnings]) this.#reject(pos[0], message);
    const { contents } = this.#parsed;
    const value = this.#problems.length > 0 || contents === null ? undefined : this.#value(contents, [], [], "written");
    const isReadable = this.#problems.length === this.#repeated;
    // An anchored value is read again for each alias, and so are its problems.
    const problems = [...new Map(this.#problems.map((problem) => [JSON.stringify(problem), problem])).values()];
    return { value, problems, isReadable, positionOf: (path) => this.#positionOf(path) };
  }

  #positionOf(path: KeyPath): Position {
    for (let length = path.length; length > 0; length--) {
      const offset = this.#offsets.get(JSON.stringify(path.slice(0, length)));
      if (offset !== undefined) return this.#position(offset);
    }
    return start;
  }

  #position(offset: number): Position {
    return positionAt(this.#lines, offset);
  }

  #reject(offset: number, reason: string): void {
    this.#problems.push({ position: this.#position(offset), reason });
  }

  /** @param around the nodes that contain this one, across aliases */
  #value(node: Node | null, path: KeyPath, around: readonly Node[], reading: Reading): unknown {
    const { isAlias, isMap, isScalar, isSeq } = yaml();
    if (node === null) return null;
    const offset = node.range?.[0] ?? 0;
    if (around.length > mostLevels) {
      this.#reject(offset, tooManyLevels);
      return undefined;
    }
    if (isAlias(node)) return this.#alias(node, path, around, reading);
    if (reading === "written" && node.anchor !== undefined) this.#anchors.set(node.anchor, node);
    if (reading === "aliased" && ++this.#aliased > mostAliased) {
      if (this.#aliased === mostAliased + 1)
        this.#reject(offset, `the aliases of this file stand for more than ${mostAliased} values`);
      return undefined;
    }
    const inner = [...around, node];
    if (isScalar(node)) return node.value;
    if (isMap(node)) return this.#map(node, path, inner, reading);
    if (!isSeq(node)) return undefined;
    return node.items.map((item, index) => {
      const place = [...path, String(index)];
      const each = item as Node | null;
      this.#remember(place, each?.range?.[0]);
      return this.#value(each, place, inner, reading);
    });
  }

  /** The value that an alias stands for. An anchor can be set again: an alias means the last one before it. */
  #alias(alias: Alias, path: KeyPath, around: readonly Node[], reading: Reading): unknown {
    // The library's own resolve() walks the file each time.
    if (reading === "written") this.#targets.set(alias, this.#anchors.get(alias.source));
    const target = this.#targets.get(alias);
    if (target !== undefined && !around.includes(target)) return this.#value(target, path, around, "aliased");
    const text = literal(`*${alias.source}`);
    this.#reject(
      alias.range?.[0] ?? 0,
      target === undefined ? `the alias ${text} has no anchor` : `the alias ${text} contains itself`,
    );
    return undefined;
  }

  #map(map: YAMLMap, path: KeyPath, around: readonly Node[], reading: Reading): Record<string, unknown> {
    const entries = new Map<string, unknown>();
    for (const pair of map.items as Pair<Node | null, Node | null>[]) {
      const offset = pair.key?.range?.[0] ?? pair.value?.range?.[0] ?? map.range?.[0] ?? 0;
      const key = this.#key(pair.key);
      const place = [...path, key ?? ""];
      if (key === undefined) this.#reject(offset, "a key must be text");
      const isRepeated = key !== undefined && entries.has(key);
      if (isRepeated) {
        this.#repeated++;
        const { line, column } = this.#positionOf(place);
        this.#reject(offset, `the key ${literal(key)} is repeated; it is first at ${line}:${column}`);
      }
      this.#remember(place, offset);
      const value = this.#value(pair.value, place, around, reading);
      // The first entry applies, because its lines are the remembered ones.
      if (!isRepeated) entries.set(key ?? "", value);
    }
    // Assigning entries one by one would let a key named `__proto__` set the prototype.
    return Object.fromEntries(entries);
  }

  /** A key as written, because `2024` and `true` are names too. */
  #key(key: Node | null): string | undefined {
    if (!yaml().isScalar(key)) return undefined;
    return typeof key.value === "string" ? key.value : key.source;
  }

  #remember(path: KeyPath, offset: number | undefined): void {
    const key = JSON.stringify(path);
    if (offset !== undefined && !this.#offsets.has(key)) this.#offsets.set(key, offset);
  }
}

// Loaded on use, so programs without a file and the provider host start without it.
function yaml(): typeof import("yaml") {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- see above
  return require("yaml") as typeof import("yaml");
}
