/** `address` in the form for comparison and requests. */
export function withoutTrailingSlash(address: string): string {
  return address.replace(/\/+$/, "");
}
