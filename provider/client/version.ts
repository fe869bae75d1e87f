/**
 * Version of this package, as in its package.json; `npm run generate` writes it. A constant, so that no start pays for reading a
 * file and bundled programs know it too.
 */
export const version = "0.1.0";
