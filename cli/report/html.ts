import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { printable } from "../../provider/client/printable";
import type { ReportData } from "../../report/report-data";
import { escaped } from "../text/escaped";

/** Script and style of the page, as one text each. */
export interface PageAssets {
  readonly script: string;
  readonly style: string;
}

/** The assets, which the build of the package bundles from `report/page/`. */
export function builtAssets(): PageAssets {
  const built = (file: string) => readFileSync(join(__dirname, "../../report", file), "utf8");
  return { script: built("page.js"), style: built("page.css") };
}

/**
 * The page as one file that needs no network. Its policy allows only its own script and style, by their hashes. The data is JSON in which
 * `<` is escaped, so that no name can end the element or start another. Invisible characters in names are spelled out.
 */
export function reportHtml(data: ReportData, { script, style }: PageAssets): string {
  const shown = (_name: string, value: unknown) => (typeof value === "string" ? printable(value) : value);
  const json = JSON.stringify(data, shown).replaceAll("<", "\\u003c");
  const policy = `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${escaped(`Access in ${data.title}`)}</title>
<style>${style}</style>
</head>
<body>
<div id="page"></div>
<div id="paper"></div>
<noscript>This page needs JavaScript. It runs no script but its own and loads nothing.</noscript>
<script type="application/json" id="data">${json}</script>
<script>${script}</script>
</body>
</html>
`;
}

function hash(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
