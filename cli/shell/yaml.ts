/** The YAML library, loaded on use, so that commands start fast. */
export function yaml(): typeof import("yaml") {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- see above
  return require("yaml") as typeof import("yaml");
}
