import { execFileSync } from "node:child_process";
import path from "node:path";

const main = path.resolve(__dirname, "../../dist/cli/main.js");
const script = (shell: string) => execFileSync(process.execPath, [main, "completion", shell], { encoding: "utf8" });

/** What bash offers for the last of `words`. */
function offered(...words: string[]): string[] {
  const line = words.map((word) => `'${word}'`).join(" ");
  const ask = `${script("bash")}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _pulumi_platform; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync("bash", ["-c", ask], { encoding: "utf8" }).split("\n").filter(Boolean);
}

test("bash completes commands and the options of the command", () => {
  expect(offered("pulumi-platform", "acc")).toEqual(["access"]);
  expect(offered("pulumi-platform", "access", "--ident")).toEqual(["--identity"]);
  expect(offered("pulumi-platform", "access", "acme")).toEqual([]);
});

test.each(["zsh", "fish"])("the script for %s has every command and its options", (shell) => {
  const help = execFileSync(process.execPath, [main, "--help"], { encoding: "utf8" });
  const names = [...help.matchAll(/^ {2}([a-z-]+) {2}/gm)]
    .map(([, name = ""]) => name)
    .filter((name) => name !== "help" && !name.startsWith("-"));
  expect(names.length).toBeGreaterThan(3);
  for (const name of names) expect(script(shell)).toContain(name);
  expect(script(shell)).toContain("identity");
});

test("zsh completes from the first Tab on: its file is itself the function that the shell calls then", () => {
  expect(script("zsh")).toMatch(/"\$\{funcstack\[1\]\}" = "_pulumi-platform" \]; then\n {2}_pulumi_platform "\$@"\n/);
});
