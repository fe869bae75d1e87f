// The built command line, with a `drift` that answers what a test has written into a file: its exit code and its document. With `hangs`, a
// port, it says there that it begins, and computes without end.
const { readFileSync } = require("node:fs");
const { connect } = require("node:net");
const path = require("node:path");

const [, , command] = process.argv;
if (command === "drift") {
  const { code, document, error, hangs } = JSON.parse(readFileSync(process.env["ANSWER"] ?? process.argv.at(-1), "utf8"));
  if (error) process.stderr.write(error);
  if (document) process.stdout.write(JSON.stringify({ ...document, options: process.argv.slice(3) }));
  process.exitCode = code;
  if (hangs)
    connect(hangs, "127.0.0.1").write("begins", () => {
      for (;;);
    });
} else {
  require(path.resolve(__dirname, "../../dist/cli/main.js"));
}
