/** The member by which the engine marks an object as a special value, which is a secret or a file that the engine reads. */
export const signature = "4dabf18193072939515e22adb298388d";

/** Its value for a secret. */
// See docs/contributing/engine.md#secrets.
export const secretMark = "1b47061264138c4ac30d75fd1eb44270";
