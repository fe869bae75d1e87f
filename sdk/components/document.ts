import type { Document as ParsedDocument, LineCounter, Node, Pair, YAMLMap } from "yaml";
import { literal } from "../../provider/client/printable";
import type { KeyPath } from "./plan";

/** A place in a file; both count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** What is wrong with a file, and where. */
interface DocumentProblem {
  readonly position: Position;
  readonly reason: string;
}

/** A YAML or JSON file: its value, and where each part of it is. */
export interface Document {
  /** Undefined for an empty file. */
  readonly value: unknown;
  /** Why the file cannot be read. With problems, `value` is incomplete. */
  readonly problems: readonly DocumentProblem[];
  /** The position of the key that leads to `path`; of the nearest key around it if there is none. */
  positionOf(path: KeyPath): Position;
}

/**
 * Most values that aliases may stand for. A few short lines of aliases of aliases can stand for more than fit into memory;
 * an organisation of ten thousand objects without aliases has none.
 */
const mostAliased = 100_000;

/** The value of a YAML or JSON text. Never throws. */
export function parseDocument(text: string): Document {
  const { LineCounter: Lines, parseDocument: parse } = yaml();
  const lines = new Lines();
  try {
    // Repeated keys are found below, together with all other problems.
    const parsed = parse(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false, logLevel: "silent" });
    return new DocumentReader(parsed, lines).document();
  } catch {
    // The parser is recursive: a file of nothing but brackets exhausts the stack.
    const reason = "is nested too deeply";
    return { value: undefined, problems: [{ position: start, reason }], positionOf: () => start };
  }
}

const start: Position = { line: 1, column: 1 };

class DocumentReader {
  readonly #parsed: ParsedDocument.Parsed;
  readonly #lines: LineCounter;
  readonly #problems: DocumentProblem[] = [];
  /** Where the key of each path starts, by the path as JSON. */
  readonly #offsets = new Map<string, number>();
  #aliased = 0;

  constructor(parsed: ParsedDocument.Parsed, lines: LineCounter) {
    this.#parsed = parsed;
    this.#lines = lines;
  }

  document(): Document {
    for (const { pos, message } of [...this.#parsed.errors, ...this.#parsed.warnings]) this.#refuse(pos[0], message);
    const { contents } = this.#parsed;
    const value = this.#problems.length > 0 || contents === null ? undefined : this.#value(contents, [], [], false);
    return { value, problems: this.#problems, positionOf: (path) => this.#positionOf(path) };
  }

  #positionOf(path: KeyPath): Position {
    for (let length = path.length; length > 0; length--) {
      const offset = this.#offsets.get(JSON.stringify(path.slice(0, length)));
      if (offset !== undefined) return this.#position(offset);
    }
    return start;
  }

  #position(offset: number): Position {
    const { line, col } = this.#lines.linePos(offset);
    return { line, column: col };
  }

  #refuse(offset: number, reason: string): void {
    this.#problems.push({ position: this.#position(offset), reason });
  }

  /** @param around the nodes that contain this one, across aliases */
  #value(node: Node | null, path: KeyPath, around: readonly Node[], isAliased: boolean): unknown {
    const { isAlias, isMap, isScalar, isSeq } = yaml();
    if (node === null) return null;
    const offset = node.range?.[0] ?? 0;
    if (isAliased && ++this.#aliased > mostAliased) {
      if (this.#aliased === mostAliased + 1)
        this.#refuse(offset, `the aliases of this file stand for more than ${mostAliased} values`);
      return undefined;
    }
    if (isAlias(node)) {
      const target = node.resolve(this.#parsed);
      if (target !== undefined && !around.includes(target)) return this.#value(target, path, around, true);
      const alias = literal(`*${node.source}`);
      this.#refuse(offset, target === undefined ? `the alias ${alias} has no anchor` : `the alias ${alias} contains itself`);
      return undefined;
    }
    const inner = [...around, node];
    if (isScalar(node)) return node.value;
    if (isMap(node)) return this.#map(node, path, inner, isAliased);
    if (!isSeq(node)) return undefined;
    return node.items.map((item, index) => {
      const place = [...path, String(index)];
      const each = item as Node | null;
      this.#remember(place, each?.range?.[0]);
      return this.#value(each, place, inner, isAliased);
    });
  }

  #map(map: YAMLMap, path: KeyPath, around: readonly Node[], isAliased: boolean): Record<string, unknown> {
    const entries = new Map<string, unknown>();
    for (const pair of map.items as Pair<Node | null, Node | null>[]) {
      const offset = pair.key?.range?.[0] ?? pair.value?.range?.[0] ?? map.range?.[0] ?? 0;
      const key = this.#key(pair.key);
      const place = [...path, key ?? ""];
      if (key === undefined) this.#refuse(offset, "a key must be text");
      else if (entries.has(key)) this.#refuse(offset, `the key ${literal(key)} is repeated; ${this.#firstOf(place)}`);
      else {
        this.#remember(place, offset);
        entries.set(key, this.#value(pair.value, place, around, isAliased));
      }
    }
    // Not assigned one by one: a key named `__proto__` would set the prototype.
    return Object.fromEntries(entries);
  }

  #firstOf(place: KeyPath): string {
    const { line, column } = this.#positionOf(place);
    return `it is first at ${line}:${column}`;
  }

  /** A key as it is written: `2024` and `true` are names too. */
  #key(key: Node | null): string | undefined {
    if (!yaml().isScalar(key)) return undefined;
    return typeof key.value === "string" ? key.value : key.source;
  }

  #remember(path: KeyPath, offset: number | undefined): void {
    const key = JSON.stringify(path);
    if (offset !== undefined && !this.#offsets.has(key)) this.#offsets.set(key, offset);
  }
}

// Loaded on use: programs without a file, and the provider host, start without it.
function yaml(): typeof import("yaml") {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- see above
  return require("yaml") as typeof import("yaml");
}
