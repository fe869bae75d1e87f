/**
 * Version of this package, as in its package.json; `npm run generate` writes it. A constant, so that no start pays for reading a
 * file and bundled programs know it too.
 */
export const version = "0.1.0";

/** The address from which engines download the plugin, as the SDKs of a release name it; undefined where package.json names no repository. */
export const pluginDownloadUrl: string | undefined = undefined;
