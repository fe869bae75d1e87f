/** `npm start [-- --native]`: declares an example organisation on this machine and shows that a second run changes nothing. */
import { run } from "./lib/child.mjs";
import { commandList, isNative, npmRun } from "./lib/door.mjs";
import { realPlatform } from "./lib/emulator.mjs";
import { main } from "./lib/main.mjs";
import { Failure } from "./lib/message.mjs";
import { commandLine } from "./toolchain/dist.mjs";
import { recover } from "./lib/recovery.mjs";
import { withStack } from "./lib/stack.mjs";
import { bringUp } from "./toolchain/bring-up.mjs";

const program = `examples/organization${isNative ? " through the native plugin" : ""}`;

main(async () => {
  const address = realPlatform();
  if (address && !process.env.PLATFORM_ORGANIZATION) {
    throw new Failure(
      "PLATFORM_BASE_URL names a real platform: set PLATFORM_ORGANIZATION too, to the uid of the group to work under.\n" +
        "Without PLATFORM_BASE_URL, npm start uses the emulator on this machine.",
    );
  }
  await bringUp();
  return withStack((stack, emulator) => (emulator ? demonstrate(stack, emulator) : previewOnly(stack, address)));
});

async function demonstrate(stack, { organization }) {
  const recovered = await recover(stack);
  const declare = ["up", "--refresh", "--run-program", "--skip-preview", "--yes"];
  const adopt = recovered ? { PLATFORM_ADOPT: "true" } : {};
  show(await engine(stack, `Declaring the organisation of ${program}`, declare, adopt));

  console.log("\n== The organisation: who has which role where");
  const { code } = await run("node", [commandLine, "access", "--root", organization], { env: stack.environment });
  if (code !== 0) throw new Failure("Reading the organisation back failed; the message above says why.");

  show(await engine(stack, "Again", ["up", "--expect-no-changes", "--skip-preview", "--yes"]));
  console.log("  Nothing changed.");

  show(await engine(stack, "Looking for drift", ["refresh", "--preview-only", "--run-program", "--expect-no-changes"]));
  console.log("  The platform is as declared.");

  console.log(`
Next:
${commandList("tamper", "drift", "repair", "destroy")}
The program is examples/organization/index.ts${isNative ? ', run with its import changed to "pulumi-platform/native"' : ""}: change it, then ${npmRun("pulumi", "up")}.`);
}

/** Only previews, because a demonstration must not grant access in a real organisation unasked. */
async function previewOnly(stack, address) {
  const title = `What ${program} would change on ${address}, under ${process.env.PLATFORM_ORGANIZATION}`;
  const args = ["preview", "--diff"];
  step(title, args);
  const code = await stack.engine(args);
  if (code !== 0) return code;
  console.log(`
Nothing was written. To apply it:
  ${npmRun("pulumi", "up")}
This shell must export ${givenNames()}, as they were for npm start;
without PLATFORM_BASE_URL the command uses the emulator.`);
  return 0;
}

/** Names of the variables that select the platform and its stack. Values are never shown, because some are secrets. */
function givenNames() {
  const leading = /^(PLATFORM_|PULUMI_(BACKEND_URL|CONFIG_PASSPHRASE|CONFIG_PASSPHRASE_FILE|ACCESS_TOKEN)$)/;
  const names = Object.keys(process.env).filter((name) => leading.test(name) && process.env[name]);
  return new Intl.ListFormat("en-GB").format(names.sort());
}

async function engine(stack, title, args, extra = {}) {
  step(title, args, extra);
  const { code, output } = await stack.unattended([...args, "--suppress-progress"], extra);
  if (code === 0) return output;
  throw new Failure(`${output.trimEnd()}\n\npulumi ${args.join(" ")} ended with exit code ${code}; its messages are above.`);
}

/** Prints each change and the counts, without progress lines and outputs. */
function show(output) {
  const [progress, summary = ""] = output.split(/^Resources:$/m);
  const changes = progress
    .split("\n")
    .filter((line) => /^ ?[-+~]+ .*(ed|failed\*\*) \([\d.]+m?s\)/.test(line) && !line.includes("pulumi:pulumi:Stack"));
  const counts = summary.split("\n").filter((line) => /^ .*\d/.test(line));
  for (const line of [...changes, ...counts])
    console.log(`  ${line.trim().replace(/pulumi-nodejs:dynamic\/platform\/|\bplatform:(?=\w+:)/, "")}`);
}

/** Prints a heading with the command that runs next. */
function step(title, args, variables = {}) {
  const set = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  console.log(`\n== ${title} (${[...set, "pulumi", ...args].join(" ")})`);
}
