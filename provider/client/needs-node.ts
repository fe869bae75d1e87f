import { nodeProblem } from "./node-version";

// Entry points of the package import this first: on an older Node.js, the error says so instead of naming what that does not have.
const problem = nodeProblem();
if (problem !== undefined) throw new Error(problem);
