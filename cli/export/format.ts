/** The language of a program. */
export type Format = "typescript" | "yaml";
