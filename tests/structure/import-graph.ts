import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";

const checkout = path.resolve(__dirname, "../..");

/** The files that each file imports, by path from the root of the checkout. Imports of types count: a reader follows them too. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** Returns the graph of the TypeScript files below `folders`, without imports of packages. */
export function importGraph(folders: readonly string[]): ImportGraph {
  const files = folders.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: checkout })).sort();
  const options = { moduleResolution: ts.ModuleResolutionKind.Node10 };
  const importsOf = (file: string): string[] =>
    ts.preProcessFile(readFileSync(path.join(checkout, file), "utf8")).importedFiles.flatMap(({ fileName }) => {
      if (!fileName.startsWith(".")) return [];
      const { resolvedModule } = ts.resolveModuleName(fileName, path.join(checkout, file), options, ts.sys);
      return resolvedModule === undefined ? [] : [path.relative(checkout, resolvedModule.resolvedFileName)];
    });
  return new Map(files.map((file) => [file, importsOf(file)]));
}

/**
 * Returns one shortest circle through each group of files that import each other, as the files in order of import.
 * Two circles through the same files count as one group.
 */
export function circlesIn(graph: ImportGraph): string[][] {
  const reported = new Set<string>();
  return [...graph.keys()].flatMap((file) => {
    const circle = reported.has(file) ? undefined : shortestCircle(graph, file);
    if (circle === undefined) return [];
    for (const member of groupOf(graph, file)) reported.add(member);
    return [circle];
  });
}

/** Breadth first, so that the first way back to `start` is a shortest one. */
function shortestCircle(graph: ImportGraph, start: string): string[] | undefined {
  const queue = [[start]];
  const seen = new Set<string>();
  for (const route of queue) {
    for (const next of graph.get(route.at(-1) ?? "") ?? []) {
      if (next === start) return [...route, start];
      if (seen.has(next)) continue;
      seen.add(next);
      queue.push([...route, next]);
    }
  }
  return undefined;
}

/** The files that `file` reaches and that reach it. */
function groupOf(graph: ImportGraph, file: string): string[] {
  return reachable(graph, file).filter((other) => reachable(graph, other).includes(file));
}

function reachable(graph: ImportGraph, file: string): string[] {
  const found = new Set([file]);
  for (const each of found) for (const next of graph.get(each) ?? []) found.add(next);
  return [...found];
}
