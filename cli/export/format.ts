/** In which language a program is written. */
export type Format = "typescript" | "yaml";
