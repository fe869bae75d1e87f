import { reviewMarkdown } from "../../cli/review/markdown";
import { reviewDocumentOf } from "../../cli/review/document";
import { reviewText } from "../../cli/review/text";
import { unknownValue } from "../../provider/schema/inputs";
import { reviewed, root, stays, step } from "../support/preview-steps";

const shop = stays("Group", "shop", { parentUid: root, name: "shop" });
const to = (sink: unknown, parentUid = `${root}/shop`) => ({ parentUid, sink });
const events = (was: object | undefined, is: object) =>
  reviewed([shop, step("Subscription", "audit", was, is, { form: "platform:events:", of: `${root}/shop`, op: "replace" })]);
const changes = (...inputs: Parameters<typeof events>) =>
  reviewDocumentOf(events(...inputs)).changes.map(({ severity, effect, message }) => [severity, effect, message]);

test.each([
  ["of a group", to("https://evil.example/in?key=k"), "medium", `events of ${root}/shop are now sent to https://evil.example`],
  ["of an organisation", to("https://evil.example", root), "high", `events of ${root} are now sent to https://evil.example`],
  ["to a secret address", to("[secret]"), "high", `events of ${root}/shop are now sent to an address that is not shown`],
  ["to one that is computed", to(unknownValue), "high", `events of ${root}/shop are now sent to an address that is not shown`],
])("a new subscription to the events %s is a gain", (_whose, inputs, severity, message) => {
  expect(reviewDocumentOf(events(undefined, inputs)).changes).toEqual([
    expect.objectContaining({
      effect: "gain",
      severity,
      message,
      role: "events",
      through: { kind: "subscription" },
      urn: "urn:pulumi:a::b::platform:events:Subscription::audit",
    }),
  ]);
});

test("text and Markdown show it, without the path and the query, which may be secret", () => {
  const found = events(undefined, to("https://evil.example/in?key=k"));
  const [text, markdown] = [reviewText(found), reviewMarkdown(found)];
  expect(text).toMatch(/^medium {4}\+ events of .* https:\/\/evil\.example$/m);
  expect(markdown).toContain(`events of \`${root}/shop\` are now sent to \`https://evil.example\` |`);
  expect(text + markdown).not.toContain("key");
});

test("another sink is a gain and a loss, the same one in a replacement is neither", () => {
  const one = to("https://one.example");
  expect(changes(one, to("https://two.example"))).toEqual([
    ["medium", "gain", expect.stringContaining(`${root}/shop are now sent to https://two.example`)],
    ["low", "loss", expect.stringContaining(`${root}/shop are no longer sent to https://one.example`)],
  ]);
  expect(changes(one, { ...one })).toEqual([]);
});
