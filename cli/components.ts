import type { Construct } from "../provider/host/plugin/attached";
import type * as components from "../sdk/construct/construct";

/** Constructs the components of this package. Loads the SDK of programs on use, because most runs have no component. */
export const construct: Construct = async (...args) => {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- see above
  const loaded = require("../sdk/construct/construct") as typeof components;
  return loaded.construct(...args);
};
