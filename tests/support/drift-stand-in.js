// The built command line, with a `drift` that answers what a test has written into a file: its exit code and its document.
const { readFileSync } = require("node:fs");
const path = require("node:path");

const [, , command] = process.argv;
if (command === "drift") {
  const { code, document, error } = JSON.parse(readFileSync(process.env["ANSWER"], "utf8"));
  if (error) process.stderr.write(error);
  if (document) process.stdout.write(JSON.stringify({ ...document, options: process.argv.slice(3) }));
  process.exitCode = code;
} else {
  require(path.resolve(__dirname, "../../dist/cli/main.js"));
}
