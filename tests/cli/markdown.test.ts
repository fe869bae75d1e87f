import { markdownCode, markdownText } from "../../cli/text/markdown";

describe("text from the platform cannot become anything else in Markdown", () => {
  const texts: [string, string][] = [
    ["plain words", "plain words"],
    ["a *b* _c_ [d](e) `f`", "a \\*b\\* \\_c\\_ \\[d\\]\\(e\\) \\`f\\`"],
    ["<img src=x> & | pipe", "&lt;img src=x&gt; &amp; \\| pipe"],
    ["@octocat", "@<!-- -->octocat"],
    ["https://evil.example", "https:<!-- -->//evil\\.example"],
    ["two\nlines \u001b[2J", "two\\\\nlines \\\\u\\{1b\\}\\[2J"],
  ];
  test.each(texts)("text: %j", (text, expected) => {
    expect(markdownText(text)).toBe(expected);
  });

  const codes: [string, string][] = [
    ["acme/engineering/ci", "`acme/engineering/ci`"],
    ["viewer → acme/ci", "`viewer → acme/ci`"],
    ["a`b", "<code>a&#96;b</code>"],
    ["a|b", "<code>a&#124;b</code>"],
    [" edge", "<code> edge</code>"],
    ["<b>&", "<code>&lt;b&gt;&amp;</code>"],
    ["", "<code></code>"],
  ];
  test.each(codes)("code: %j", (text, expected) => {
    expect(markdownCode(text)).toBe(expected);
  });
});
