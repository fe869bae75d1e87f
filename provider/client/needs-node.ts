import { nodeProblem } from "./node-version";

// Entry points of the package import this file first. On an older Node.js, the error then names the version instead of a missing function.
const problem = nodeProblem();
if (problem !== undefined) throw new Error(problem);
