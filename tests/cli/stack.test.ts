import { stackConfiguration, stackState } from "../../cli/shell/stack";
import { readConfiguration } from "../../provider/credentials";
import { pulumiIn } from "../support/cli";
import { scratchFolder } from "../support/scratch-folder";

const folder = scratchFolder();
const searched = process.env["PATH"];

/** Puts a program `pulumi` on PATH that runs `script`. */
function withPulumi(script: string): void {
  process.env["PATH"] = pulumiIn(folder, script);
}

afterEach(() => {
  process.env["PATH"] = searched;
});

test("the configuration of a stack has its values by key; secrets of others have none", async () => {
  withPulumi(`echo '{ "platform:baseUrl": { "value": "https://x", "secret": false }, "shop:key": { "secret": true } }'`);
  expect(await stackConfiguration("dev")).toEqual({ "platform:baseUrl": "https://x", "shop:key": undefined });
});

test("an encrypted setting counts as in a run: a token in it is an error, and no command passes it over", async () => {
  withPulumi(
    `case "$*" in *--show-secrets*) shown='"value": "abc", ' ;; esac; echo "{ \\"platform:token\\": { $shown\\"secret\\": true } }"`,
  );
  const configured = await stackConfiguration("dev");
  expect(configured).toEqual({ "platform:token": "abc" });
  expect(() => readConfiguration(configured, {})).toThrow("platform:token holds a secret");
});

test("the state is what the Pulumi CLI exports for the stack", async () => {
  withPulumi('echo "$@"');
  expect(await stackState("acme/prod")).toBe("stack export --stack acme/prod --non-interactive\n");
});

test("what the Pulumi CLI says is in the error, on one stack by name", async () => {
  withPulumi("echo \"error: no stack named 'dev' found\" >&2; exit 255");
  await expect(stackState("dev")).rejects.toThrow("Read the state of stack \"dev\": no stack named 'dev' found.");
  await expect(stackConfiguration("dev")).rejects.toMatchObject({ code: "CONFIGURATION" });
});

test("without the Pulumi CLI, the error says what to install or to set instead", async () => {
  process.env["PATH"] = "/nowhere";
  await expect(stackConfiguration("dev")).rejects.toThrow("`pulumi` is not on PATH");
});

test("an answer that is not a configuration is an error", async () => {
  withPulumi("echo not-json");
  await expect(stackConfiguration("dev")).rejects.toMatchObject({
    code: "CONFIGURATION",
    message: expect.stringContaining('stack "dev"') as string,
  });
});
