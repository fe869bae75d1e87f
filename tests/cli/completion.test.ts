import { execFileSync } from "node:child_process";
import { commands } from "../../cli/commands";
import { run } from "../support/cli";

const script = async (shell: string) => (await run(["completion", shell])).stdout;

/** The words that bash offers for the last of `words`. */
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

test("bash completes the values of an option, also after an equals sign", async () => {
  expect(await offered("pulumi-platform", "drift", "--format", "ma")).toEqual(["markdown"]);
  expect(await offered("pulumi-platform", "drift", "--format", "=", "ma")).toEqual(["markdown"]);
  expect(await offered("pulumi-platform", "review", "--fail-on", "")).toEqual(["critical", "high", "medium", "low", "any"]);
  expect(await offered("pulumi-platform", "completion", "")).toEqual(["bash", "zsh", "fish"]);
});

test("bash completes the documented call through npx, and nothing of other packages", async () => {
  expect(await offered("npx", "--no-install", "pulumi-platform", "rev")).toEqual(["review"]);
  expect(await offered("npx", "--no-install", "pulumi-platform", "drift", "--state-")).toEqual(["--state-of", "--state-file"]);
  expect(await offered("npx", "--no-install", "other", "--form")).toEqual([]);
  const registered = execFileSync("bash", ["-c", `${await script("bash")}\ncomplete -p npx pulumi-platform`], {
    encoding: "utf8",
  });
  expect(registered.match(/_pulumi_platform/g)).toHaveLength(2);
});

test.each(["zsh", "fish"])("the script for %s has every command and its options", async (shell) => {
  const text = await script(shell);
  expect(commands.map((each) => each.name()).filter((name) => !text.includes(name))).toEqual([]);
  expect(text).toContain("identity");
});

test("zsh completes from the first Tab on: its file is itself the function that the shell calls then", async () => {
  expect(await script("zsh")).toMatch(/"\$\{funcstack\[1\]\}" = "_pulumi-platform" \]; then\n {2}_pulumi_platform "\$@"\n/);
});
