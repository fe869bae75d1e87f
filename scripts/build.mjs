/** `npm run build`, and `npm pack` before it packs: compiles the package into dist/. */
import { main } from "./lib/main.mjs";
import { bringUp } from "./toolchain/bring-up.mjs";

main(() => bringUp({ engine: false }));
