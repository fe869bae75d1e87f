import { nodeProblem } from "../provider/client/node-version";

// Every program imports this file first. The problem is printed here, because a thrown error would be printed with its stack.
const problem = nodeProblem();
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`);
  process.exit(1);
}
