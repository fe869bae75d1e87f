/** Through what the engine reaches the provider: its dynamic provider host, or the plugin. */
export type Door = "dynamic" | "native";

/** The door of the tests that run through both: Jest's project `native` runs them again through the plugin. */
export function testedDoor(): Door {
  return process.env["TEST_DOOR"] === "native" ? "native" : "dynamic";
}

/** How many cases a test runs: all with `npm run test:long`; through the plugin fewer of the usual ones, since the life is the same code. */
export function casesOf(usual: number, long: number, native: number): number {
  if (process.env["LONG"]) return long;
  return testedDoor() === "native" ? native : usual;
}
