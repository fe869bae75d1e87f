import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkout, useCheckout } from "./fake-checkout";

useCheckout((made) => {
  made.writeCommandLine("");
});

const build = () => checkout.run("build.mjs");
const calls = () =>
  existsSync(join(checkout.root, "calls")) ? readFileSync(join(checkout.root, "calls"), "utf8").trim().split("\n") : [];
const lock = (packages: object) => JSON.stringify({ packages });

describe("dependencies", () => {
  /** An npm that notes its first two arguments, fails `ci` on request, and installs what is locked. */
  const writeNpm = (complaint = "") =>
    checkout.writeTool(
      "tools/npm",
      `echo "$1 $2" >> calls
       if [ "$1" = ci ] && [ -n "${complaint}" ]; then echo "npm error ${complaint}" >&2; exit 1; fi
       /bin/cp package-lock.json node_modules/.package-lock.json`,
    );

  test.each([
    ["the lockfile is unchanged", { a: { version: "1.0.0" } }, { a: { version: "1.0.0" } }, []],
    ["an optional package of another machine is missing", { a: { version: "1.0.0", optional: true } }, {}, []],
    ["a package is missing", { a: { version: "1.0.0" } }, {}, ["ci --include=dev"]],
    ["a version differs", { a: { version: "1.0.1" } }, { a: { version: "1.0.0" } }, ["ci --include=dev"]],
    ["the content differs", { a: { integrity: "x" } }, { a: { integrity: "y" } }, ["ci --include=dev"]],
  ])("npm ci runs when what is installed is not what is locked: %s", async (_case, locked, installed, expected) => {
    checkout.write("package-lock.json", lock(locked));
    checkout.write("node_modules/.package-lock.json", lock(installed));
    writeNpm();
    expect((await build()).code).toBe(0);
    expect(calls()).toEqual(expected);
    await build();
    expect(calls()).toEqual(expected);
  });

  test.each([
    ["gets stuck once is run again", "[ -e stuck ] && exit 0; : > stuck", 0],
    ["gets stuck twice is given up", "", 143],
  ])("an npm that %s", async (_case, unless, code) => {
    checkout.writeTool("tools/npm", `echo "$1 $2" >> calls; ${unless}\nexec /bin/sleep 600`);
    const import_ = 'import { npm } from "./scripts/toolchain/npm.mjs";';
    checkout.write("probe.mjs", `${import_}\nconsole.log((await npm(["ci", "x"], { timeoutMs: 300 })).code);`);
    expect((await checkout.start(["probe.mjs"]).ending).stdout.trim()).toBe(String(code));
    expect(calls()).toEqual(["ci x", "ci x"]);
  });

  test.each(["Missing: left-pad@1.0.0 from lock file", "Invalid: lock file's a@1.0.0 does not satisfy a@1.1.0"])(
    "a lockfile that does not fit package.json is rejected: %s",
    async (complaint) => {
      checkout.write("package-lock.json", lock({ a: { version: "1.0.0" } }));
      writeNpm(complaint);
      await checkout.refuse(complaint, "build.mjs");
      expect(calls()).toEqual(["ci --include=dev"]);
    },
  );
});

describe("dist/", () => {
  const compiled = () => readFileSync(join(checkout.root, "dist/cli/main.js"), "utf8");

  test("is compiled when a source has changed, and only then, without what is left of older builds", async () => {
    checkout.writeCommandLine("first");
    await build();
    checkout.write("dist/stale.js", "");
    checkout.writeCommandLine("second");
    await build();
    expect(compiled()).toBe("first");
    checkout.write("provider/index.ts", "changed");
    await build();
    expect(compiled()).toBe("second");
    expect(readdirSync(join(checkout.root, "dist"))).toEqual(["cli", "report"]);
  });

  test("stays as it was when the sources do not compile, and the compiler's messages are shown", async () => {
    checkout.writeCommandLine("first");
    await build();
    checkout.write("sdk/index.ts", "broken");
    checkout.write("node_modules/typescript/bin/tsc", 'console.log("sdk/index.ts(1,1): error TS2304"); process.exit(2);');
    await checkout.refuse("The sources do not compile:\nsdk/index.ts(1,1): error TS2304", "build.mjs");
    expect(compiled()).toBe("first");
    expect(readdirSync(join(checkout.root, ".state"))).toEqual([]);
  });
});

describe("commands that do not fit the situation say so at once", () => {
  test.each([
    ["tamper.mjs", {}, "Run this first:\n  npm start"],
    ["tamper.mjs", { PLATFORM_BASE_URL: "https://api.example.com" }, "unset PLATFORM_BASE_URL"],
    ["start.mjs", { PLATFORM_BASE_URL: "https://api.example.com" }, "set PLATFORM_ORGANIZATION too"],
  ])("%s with %j", (script, env, message) => checkout.refuse(message, script, [], env));
});
