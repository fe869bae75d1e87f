import { Failure } from "../../scripts/lib/message.mjs";
import { figuresOf, sentenceOf } from "./figures.mjs";
import { verbs, walk, walkedKinds } from "./walk.mjs";

/** Number of listed functions with the most calls. */
const MOST_CALLED = 25;

/** The calls of one verb as text, for `npm run bench -- walk --list create group`. They are shown as a tree, then counted. */
export async function listOf(verb, kind) {
  if (!verbs.includes(verb) || !(kind in walkedKinds)) {
    const asked = `a verb (${verbs.join(", ")}) and a kind (${Object.keys(walkedKinds).join(", ")})`;
    throw new Failure(`Pass ${asked}, as in: npm run bench -- walk --list create group`);
  }
  const record = (await walk(kind))[verb];
  const tree = linesOf(treeOf(record)).map(
    ({ calls, depth, text }) => `${String(calls || "").padStart(5)}  ${"  ".repeat(depth)}${text}`,
  );
  return [
    `${verb} of ${walkedKinds[kind]}: ${sentenceOf(figuresOf(record))}.`,
    "Each line: calls, those that it makes included; function; file in dist/ and line. `3 x`: that often in a row.",
    "",
    ...tree,
    "",
    "Most called:",
    ...mostCalled(record).map(([text, calls]) => `${String(calls).padStart(5)}  ${text}`),
    "",
  ].join("\n");
}

/** The calls and requests that no other call made, each with the calls and requests that it made. */
function treeOf({ calls, requests }) {
  const nodes = calls.map(({ name, file, line }) => ({ text: `${name}  ${file}:${line}`, isCall: true, inner: [] }));
  const top = [];
  const place = (node, within) => (within === undefined ? top : nodes[within].inner).push(node);
  for (const [number, { within }] of [...calls, {}].entries()) {
    for (const { method, path, within: sender } of requests.filter(({ at }) => at === number))
      place({ text: `--> ${method} ${path}`, inner: [] }, sender);
    if (number < calls.length) place(nodes[number], within);
  }
  return top;
}

/** The lines of some nodes; neighbours with the same lines become one. */
function linesOf(nodes, depth = 0) {
  const blocks = [];
  for (const { text, isCall, inner } of nodes) {
    const below = linesOf(inner, depth + 1);
    const calls = below.reduce((sum, line) => sum + (line.depth === depth + 1 ? line.calls : 0), isCall ? 1 : 0);
    const [lines, last] = [[{ calls, depth, text }, ...below], blocks.at(-1)];
    if (last?.text === textOf(lines)) last.times++;
    else blocks.push({ lines, text: textOf(lines), times: 1 });
  }
  return blocks.flatMap(({ lines: [first, ...below], times }) =>
    times === 1 ? [first, ...below] : [{ ...first, calls: first.calls * times, text: `${times} x ${first.text}` }, ...below],
  );
}

const textOf = (lines) => lines.map(({ depth, text }) => `${depth} ${text}`).join("\n");

function mostCalled({ calls }) {
  const counts = new Map();
  for (const { name, file } of calls) counts.set(`${name}  ${file}`, (counts.get(`${name}  ${file}`) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one).slice(0, MOST_CALLED);
}
