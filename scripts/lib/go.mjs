/** The oldest Go that builds what this checkout builds with it. */
export const MINIMUM_GO = "1.26";

/** The environment of Go commands in a module of this checkout: a workspace around the checkout must not change its versions. */
export const goEnvironment = () => ({ ...process.env, GOWORK: "off" });
