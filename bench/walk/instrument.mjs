/**
 * Rewrites dist/ when this process loads it, so that each function reports its calls to {@link recorded}.
 *
 * Calls of functions with a name are counted. A function has a name if it is declared by that name, is a method, an accessor or a
 * constructor, or is the value of a constant, a property or a class field. All other functions (arguments of calls, default values) are
 * callbacks, which are counted separately, so that turning a function into a callback saves nothing.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe } from "node:diagnostics_channel";
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { checkout } from "../../scripts/lib/paths.mjs";

const dist = join(checkout, "dist");
/** The loaded functions, by the number that their code reports. */
const functions = [];
/** The number of the current call, also after its awaits. */
const serving = new AsyncLocalStorage();
let recording;

/**
 * Runs `work` and records the calls, in the order in which they begin.
 * @returns {Promise<{ value, calls: { name, file, line, within? }[], callbacks: number, requests: { method, path, at, within? }[] }>}
 * within: the number of the call that made this one; at: how many calls began before the request left
 */
export async function recorded(work) {
  const record = (recording = { calls: [], callbacks: 0, requests: [] });
  try {
    return { value: await work(), ...record };
  } finally {
    recording = undefined;
  }
}

globalThis.benchWalk = {
  begin(id) {
    return recording?.calls.push({ ...functions[id], within: serving.getStore() });
  },
  during(id, work) {
    if (recording === undefined) return work();
    return serving.run(this.begin(id) - 1, work);
  },
  callback() {
    if (recording !== undefined) recording.callbacks++;
  },
};

subscribe("undici:request:create", ({ request: { method, path } }) => {
  recording?.requests.push({ method, path, at: recording.calls.length, within: serving.getStore() });
});

registerHooks({
  load(url, context, next) {
    const file = url.startsWith("file:") ? fileURLToPath(url) : "";
    if (!file.startsWith(dist + sep) || !file.endsWith(".js")) return next(url, context);
    return { format: "commonjs", source: reporting(readFileSync(file, "utf8"), file), shortCircuit: true };
  },
});

/** The program text `source` with a report at the start of each function. */
function reporting(source, file) {
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  /** The inserted texts in the order of the source. A function begins before its inner functions, and ends after them. */
  const begins = [];
  const ends = [];
  const visit = (node) => {
    const report = ts.isFunctionLike(node) && node.body ? reportOf(node, parsed) : undefined;
    const isBlock = report && ts.isBlock(node.body);
    if (report) begins.push({ at: node.body.getStart(parsed) + (isBlock ? 1 : 0), text: report.begin });
    ts.forEachChild(node, visit);
    if (report) ends.push({ at: node.body.end - (isBlock ? 1 : 0), text: report.end });
  };
  visit(parsed);
  let [text, from] = ["", 0];
  // If one ends where another begins, the end comes first. The sort keeps the order of equals.
  for (const { at, text: added } of [...ends, ...begins].sort((one, other) => one.at - other.at)) {
    text += source.slice(from, at) + added;
    from = at;
  }
  return text + source.slice(from);
}

/** The texts for the begin and the end of a function's body. */
function reportOf(node, parsed) {
  const isBlock = ts.isBlock(node.body);
  const name = ownName(node, parsed);
  if (name === undefined) {
    return isBlock ? { begin: "benchWalk.callback();", end: "" } : { begin: "(benchWalk.callback(), ", end: ")" };
  }
  const { line } = parsed.getLineAndCharacterOfPosition(node.getStart(parsed));
  const id = functions.push({ name, file: relative(dist, parsed.fileName).replaceAll(sep, "/"), line: line + 1 }) - 1;
  // A generator cannot yield from within another function; an empty function does nothing.
  if (node.asteriskToken || node.body.statements?.length === 0) return { begin: `benchWalk.begin(${id});`, end: "" };
  const isAsync = node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword);
  const during = `benchWalk.during(${id}, ${isAsync ? "async " : ""}() =>`;
  return isBlock ? { begin: `return ${during} {`, end: "});" } : { begin: `${during} (`, end: "))" };
}

/** The name of a function itself; undefined for a callback. */
function ownName(node, parsed) {
  if (ts.isConstructorDeclaration(node)) return `new ${node.parent.name?.text ?? "class"}`;
  if (node.name) return node.name.getText(parsed);
  const holder = node.parent;
  const isHeld = ts.isVariableDeclaration(holder) || ts.isPropertyAssignment(holder) || ts.isPropertyDeclaration(holder);
  return isHeld ? holder.name.getText(parsed) : undefined;
}
