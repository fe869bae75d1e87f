/** Most uids in one address. */
const mostUids = 40;

/** Most characters of uids in one address. Servers must accept 8,000 octets of a request line (RFC 9112 §3), which other parameters share. */
const mostCharacters = 6_000;

/** Characters of the parameter around a uid. */
const parameterLength = "&uidp.ids=".length;

/**
 * `uids` in parts, each of which fits into one address. A single uid may be longer than an address.
 *
 * @param share the share of an address that each part may fill. Default: 1
 */
export function uidParts(uids: readonly string[], share = 1): string[][] {
  const parts: string[][] = [];
  let length = 0;
  for (const uid of uids) {
    const own = encodeURIComponent(uid).length + parameterLength;
    const last = parts.at(-1);
    if (last !== undefined && last.length < mostUids * share && length + own <= mostCharacters * share) {
      last.push(uid);
      length += own;
    } else {
      parts.push([uid]);
      length = own;
    }
  }
  return parts;
}
