import { defineConfig } from "vitepress";
import { inOtherLanguages, pageOf, read, sections, slugOf, sources, startPage } from "../pages.ts";
import { search } from "../search.ts";
import { extend } from "./markdown.mjs";

const { version, description } = JSON.parse(read("package.json"));
const schema = JSON.parse(read("schema.json"));

export default defineConfig({
  title: "pulumi-platform",
  description,
  lang: "en-GB",
  base: process.env.SITE_BASE ?? "/",
  srcDir: "..",
  outDir: "../.state/site",
  cacheDir: "../.state/site-cache",
  srcExclude: [
    `!(docs|site|${sources.filter((source) => !source.includes("/")).join("|")})/**`,
    "docs/{contributing,decisions}/**",
    "docs/{_index,installation-configuration}.md",
  ],
  rewrites: (file) => (sources.includes(file) ? `${pageOf(file)}.md` : file.replace("site/files/", "")),
  head: [
    [
      "link",
      {
        rel: "icon",
        href: "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><path fill='%230b6b5d' d='M8 0l7 4v8l-7 4-7-4V4z'/><path fill='%23fff' d='M8 4l3.5 2v4L8 12l-3.5-2V6z'/></svg>",
      },
    ],
  ],
  markdown: {
    config: extend,
    anchor: { slugify: slugOf },
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
  },
  themeConfig: {
    nav: [
      { text: "Start", link: "/getting-started" },
      { text: "Resources", link: "/resources/" },
      { text: "Commands", link: "/commands/" },
      { text: "Errors", link: "/errors" },
      {
        text: `v${version}`,
        items: [
          { text: "Changes", link: "/changelog" },
          { text: "Other versions", link: "/#versions" },
        ],
      },
    ],
    sidebar: sections(),
    outline: [2, 3],
    search,
    footer: { message: `pulumi-platform ${version}, Apache-2.0` },
  },
  vite: {
    plugins: [
      {
        name: "pulumi-platform",
        enforce: "pre",
        transform: (code, id) => {
          if (id.endsWith("/docs/index.md")) return startPage(code, read("README.md"), description);
          if (/\/docs\/(resources|data-sources)\/[^/]+\.md$/.test(id)) return `${code}\n${inOtherLanguages(code, schema)}`;
          return undefined;
        },
      },
    ],
  },
});
