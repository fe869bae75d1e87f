import { existsSync } from "node:fs";
import { join } from "node:path";
import { checkout, useCheckout } from "./fake-checkout";

useCheckout();
beforeEach(() => {
  checkout.write("package.json", '{ "version": "0.1.0" }');
  checkout.write("LICENSE", "");
  checkout.write("schema.json", '{ "language": { "go": { "importBasePath": "acme.example/sdk" } } }');
});

/** A closing line, alone on standard output. */
const closing = (line: string) => ({ code: 1, stdout: `${line}\n` });

test("a language whose tools are missing is named with what to install, is not run, and fails the command", async () => {
  checkout.writeTool("tools/javac", "echo javac 1.8.0");
  // As Maven prints it.
  checkout.writeTool("tools/mvn", "printf '\\033[1mApache Maven 3.6.3\\033[m\\n'");
  const { code, stdout, stderr } = await checkout.run("test-languages.mjs", ["java"]);
  expect({ code, stdout }).toEqual(closing("0 passed, 0 failed, not run: java"));
  expect(stderr).toContain("javac 11 or newer is needed; this one is 1.8.0: install a JDK");
  expect(stderr).toContain("mvn 3.8 or newer is needed; this one is 3.6.3: install Maven");
  expect(stderr).toContain("-- --without java");
});

test("a language is left out by its name only", async () => {
  const { code, stdout } = await checkout.run("test-languages.mjs", ["--without", "nodejs", "java", "go"]);
  expect({ code, stdout }).toEqual(closing("0 passed, 0 failed, not run: python, yaml"));
});

test.each(["test-languages.mjs", "sdk.mjs"])("%s knows its languages", async (script) => {
  await checkout.refuse('"pyhton" is none of the languages nodejs, python, go, java', script, ["pyhton"]);
});

test("an SDK whose tools are missing is not built, and fails the command", async () => {
  await checkout.refuse("go: not built. go 1.26 or newer is needed: install Go from https://go.dev/dl", "sdk.mjs", ["go"]);
});

test("no language at all is nothing to test, and a failure", async () => {
  await checkout.refuse("every language is left out", "test-languages.mjs", [
    "--without",
    "nodejs",
    "python",
    "go",
    "java",
    "yaml",
  ]);
});

describe("the folder of an SDK", () => {
  const has = (path: string) => existsSync(join(checkout.root, path));
  beforeEach(() => {
    checkout.writeTool("tools/go", "echo go version go1.26.0");
  });

  test("is deleted only if an SDK was built there", async () => {
    const own = checkout.write("sdk/index.ts", "");
    await checkout.refuse(join(checkout.root, "sdk"), "sdk.mjs", ["go", "sdk"]);
    await checkout.refuse(own, "sdk.mjs", ["go", own]);
    expect(has("sdk/index.ts")).toBe(true);

    expect(await checkout.run("sdk.mjs", ["go", "made"])).toMatchObject({ code: 0 });
    checkout.write("made/of-an-earlier-schema.go", "");
    expect(await checkout.run("sdk.mjs", ["go", "made"])).toMatchObject({ code: 0 });
    expect([has("made/go.mod"), has("made/LICENSE")]).toEqual([true, true]);
    expect(has("made/of-an-earlier-schema.go")).toBe(false);
  });

  test("by default is the one of earlier builds, with or without their mark", async () => {
    checkout.write(".state/sdk/go/of-an-earlier-schema.go", "");
    expect(await checkout.run("sdk.mjs", ["go"])).toMatchObject({ code: 0 });
    expect(has(".state/sdk/go/of-an-earlier-schema.go")).toBe(false);
  });

  test("has no language's name", async () => {
    await checkout.refuse('"yaml" is none of the languages', "sdk.mjs", ["go", "yaml"]);
    expect(has("yaml")).toBe(false);
  });
});
