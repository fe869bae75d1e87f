/** `npm run pulumi -- [--native] <args>`: runs the engine on this checkout's stack, with the emulator beside it. */
import { commandArguments } from "./lib/door.mjs";
import { main } from "./lib/main.mjs";
import { withStack } from "./lib/stack.mjs";
import { bringUp } from "./toolchain/bring-up.mjs";

main(async () => {
  await bringUp();
  return withStack((stack) => stack.engine(commandArguments));
});
