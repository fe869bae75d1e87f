import { nodeProblem } from "../provider/client/node-version";

// The programs import this first: an error would be printed with its stack.
const problem = nodeProblem();
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}
