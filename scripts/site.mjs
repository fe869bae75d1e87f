/** `npm run site [-- --serve]`: builds docs/ as a site and checks its links. `--serve` shows it on a free port of localhost, until Ctrl-C. */
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, relative, sep } from "node:path";
import { runQuietly, sleep } from "./lib/child.mjs";
import { withLock } from "./lib/lock.mjs";
import { main } from "./lib/main.mjs";
import { announce, Failure, say } from "./lib/message.mjs";
import { checkout, stateFolder } from "./lib/paths.mjs";
import { bringUp } from "./toolchain/bring-up.mjs";

const sources = join(checkout, "site");
const built = join(stateFolder, "site");
/** The path of the site below its host. */
const base = process.env.SITE_BASE ?? "/";
const types = { ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".json": "application/json" };

main(async () => {
  const args = process.argv.slice(2);
  if (args.some((arg) => arg !== "--serve")) throw new Failure("Usage: npm run site [-- --serve]");
  if (!/^\/(?:.*\/)?$/.test(base)) throw new Failure(`SITE_BASE is "${base}": it must begin and end with a slash.`);
  await bringUp({ packages: sources, dist: false, engine: false });
  await withLock(join(stateFolder, "site.lock"), "another command is building the site", build);
  say(`The site is in ${relative(process.env.INIT_CWD ?? checkout, built) || "."}.`);
  if (args.length > 0) await serve();
});

async function build() {
  const program = join(sources, "node_modules", "vitepress", "bin", "vitepress.js");
  await announce("Site: vitepress build", () => runQuietly("The build of the site", "node", [program, "build", sources]));
  const broken = brokenLinks();
  if (broken.length > 0)
    throw new Failure(`Links of the site lead nowhere. Correct them in the pages:\n  ${broken.join("\n  ")}`);
}

/** The links in the site that have no page or no anchor, each as `page: link`. */
function brokenLinks() {
  const files = readdirSync(built, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".html"));
  const pages = new Map(files.map((file) => [join(built, file), readFileSync(join(built, file), "utf8")]));
  const anchors = new Map(
    [...pages].map(([file, html]) => [file, new Set([...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id))]),
  );
  return [...pages].flatMap(([file, html]) => {
    const links = new Set([...html.matchAll(/<a [^>]*?href="([^"]*)"/g)].map(([, link]) => link.replaceAll("&amp;", "&")));
    return [...links]
      .filter((link) => {
        const { hostname, pathname, hash } = new URL(link, `http://localhost${base}${relative(built, file)}`);
        const target = fileOf(pathname);
        if (hostname !== "localhost" || (hash === "" && target !== undefined)) return false;
        return !anchors.get(target)?.has(decodeURIComponent(hash.slice(1)));
      })
      .map((link) => `${relative(built, file)}: ${link}`);
  });
}

/** The file of the site for a path of a URL; undefined if there is none. */
function fileOf(pathname) {
  if (!pathname.startsWith(base)) return undefined;
  const file = join(built, decodeURIComponent(pathname.slice(base.length)).replace(/(^|\/)$/, "$1index.html"));
  return file.startsWith(join(built, sep)) && existsSync(file) && statSync(file).isFile() ? file : undefined;
}

/** The file for a request; undefined also if its path is malformed. */
function requested(url) {
  try {
    return fileOf(new URL(`http://localhost${url}`).pathname);
  } catch {
    return undefined;
  }
}

async function serve() {
  const server = createServer((request, response) => {
    const found = requested(request.url);
    const file = found ?? join(built, "404.html");
    response.writeHead(found ? 200 : 404, {
      "content-type": `${types[extname(file)] ?? "application/octet-stream"}; charset=utf-8`,
    });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  console.log(`http://127.0.0.1:${server.address().port}${base}`);
  for (;;) await sleep(3_600_000);
}
