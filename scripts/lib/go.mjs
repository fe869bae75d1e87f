/** The oldest Go for builds in this checkout. */
export const MINIMUM_GO = "1.26";

/** The environment of Go commands in a module of this checkout. A workspace around the checkout must not change its versions. */
export const goEnvironment = () => ({ ...process.env, GOWORK: "off" });
