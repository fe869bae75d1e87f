import { globSync } from "node:fs";
import path from "node:path";

// The tests of `npm run check` that run the compiler: one file for Jest, so that they share the sources that it has parsed.
for (const file of globSync("**/*.compile.ts", { cwd: __dirname }).sort())
  describe(file.replace(".compile.ts", ""), () => {
    jest.requireActual(path.join(__dirname, file));
  });
