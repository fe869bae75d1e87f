import { execFileSync } from "node:child_process";
import { commands } from "../../cli/commands";
import { run } from "../support/cli";

const script = async (shell: string) => (await run(["completion", shell])).stdout;

/** What bash offers for the last of `words`. */
async function offered(...words: string[]): Promise<string[]> {
  const line = words.map((word) => `'${word}'`).join(" ");
  const ask = `${await script("bash")}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _pulumi_platform; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync("bash", ["-c", ask], { encoding: "utf8" }).split("\n").filter(Boolean);
}

test("bash completes commands and the options of the command", async () => {
  expect(await offered("pulumi-platform", "acc")).toEqual(["access"]);
  expect(await offered("pulumi-platform", "access", "--ident")).toEqual(["--identity"]);
  expect(await offered("pulumi-platform", "access", "acme")).toEqual([]);
});

test.each(["zsh", "fish"])("the script for %s has every command and its options", async (shell) => {
  const text = await script(shell);
  expect(commands.map((each) => each.name()).filter((name) => !text.includes(name))).toEqual([]);
  expect(text).toContain("identity");
});

test("zsh completes from the first Tab on: its file is itself the function that the shell calls then", async () => {
  expect(await script("zsh")).toMatch(/"\$\{funcstack\[1\]\}" = "_pulumi-platform" \]; then\n {2}_pulumi_platform "\$@"\n/);
});
