/** Through what the engine reaches the provider: its dynamic provider host, or the plugin. */
export type Door = "dynamic" | "native";

/** The door of the tests that run through both: Jest's project `native` runs them again through the plugin. */
export function testedDoor(): Door {
  return process.env["TEST_DOOR"] === "native" ? "native" : "dynamic";
}
