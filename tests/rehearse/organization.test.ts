import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { engineEnvironment } from "../../rehearse/environment";
import { withOrganization } from "../../rehearse/organization";

const own = { home: "", temporary: "", backend: "", passphrase: "", rehearsal: "{}" };

test.each([
  [["node", "run", "--organization", "organization", "--project", "organization"]],
  [["node", "run", "--organization=organization", "--project", "organization"]],
])("a program gets the organisation of the real stack: %j", (words) => {
  const replaced = withOrganization(words, "acme");
  expect(replaced.join(" ")).toMatch(/^node run --organization[ =]acme --project organization$/);
});

test("a stack with an organisation sets it before the program, beside the options of the user", () => {
  const set = engineEnvironment({ NODE_OPTIONS: "--max-old-space-size=900" }, { ...own, organization: "acme" });
  expect(set["NODE_OPTIONS"]).toMatch(/^--max-old-space-size=900 --require ".*organization/);
  expect(engineEnvironment({}, own)).not.toHaveProperty("NODE_OPTIONS");
});

test("only the process that runs the program is changed", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "organization-"));
  const preload = path.resolve(__dirname, "../../dist/rehearse/organization.js");
  const environment = { ...process.env, PLATFORM_REHEARSED_ORGANIZATION: "acme", NODE_OPTIONS: `--require "${preload}"` };
  const shownBy = (file: string) => {
    const script = path.join(folder, file);
    mkdirSync(path.dirname(script), { recursive: true });
    writeFileSync(script, "console.log(process.argv.slice(2).join(' '))");
    return execFileSync(process.execPath, [script, "--organization", "organization"], {
      env: environment,
      encoding: "utf8",
    }).trim();
  };
  expect(shownBy("@pulumi/pulumi/cmd/run/index.js")).toBe("--organization acme");
  expect(shownBy("other/index.js")).toBe("--organization organization");
  rmSync(folder, { recursive: true });
});
