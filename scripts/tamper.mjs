/** `npm run tamper`: changes one declared object in the emulator's data, as a manual change in a console would. */
import { existsSync } from "node:fs";
import { commandList, commandOf, npmRun } from "./lib/door.mjs";
import { emulatorData, realPlatform } from "./lib/emulator.mjs";
import { main } from "./lib/main.mjs";
import { Failure } from "./lib/message.mjs";
import { withStack } from "./lib/stack.mjs";
import { bringUp } from "./toolchain/bring-up.mjs";

/** Lets every token of the issuer assume the identity, which is the most severe kind of drift. */
const ANYBODY = ".*";

main(async () => {
  if (realPlatform()) throw new Failure("npm run tamper changes the emulator only: unset PLATFORM_BASE_URL and run it again.");
  if (!existsSync(emulatorData)) throw nothingDeclared();
  await bringUp();
  await withStack(async (stack, { adminUrl }) => {
    const { resources = [] } = await stack.state();
    const declared = resources.filter(({ type }) => type.endsWith("iam:Identity")).map(({ id }) => id);
    if (declared.length === 0) throw nothingDeclared();
    await tamper(adminUrl, new Set(declared));
  });
});

function nothingDeclared() {
  return new Failure(`There is no organisation to tamper with yet. Run this first:\n  ${npmRun("start")}`);
}

async function tamper(adminUrl, declared) {
  const { objects } = await ask(`${adminUrl}/objects?kind=identities`);
  const target = objects.find(({ uid, claimMatch }) => declared.has(uid) && claimMatch?.subjectPattern !== ANYBODY);
  if (!target)
    throw new Failure(`Every declared identity has been tampered with or deleted. Repair them:\n  ${commandOf("repair")}`);
  const claimMatch = { subject: null, subjectPattern: ANYBODY };
  const changed = await ask(`${adminUrl}/objects/identities/${target.uid}`, {
    method: "PATCH",
    body: JSON.stringify({ claimMatch }),
  });
  console.log(`
Changed behind the provider's back: who may assume the identity ${target.name} (${target.uid}).
  was  ${JSON.stringify(target.claimMatch)}
  is   ${JSON.stringify(changed.claimMatch)}

Next:
${commandList("drift", "repair")}`);
}

async function ask(url, options = {}) {
  const response = await fetch(url, options);
  const answer = await response.json();
  if (!response.ok) throw new Failure(`The emulator rejected the change: ${answer.message}`);
  return answer;
}
