import { unknownValue } from "../../provider/kinds/inputs";
import { root, stays, step } from "../support/preview-steps";
import { gate, review } from "../support/review-gate";

const shop = stays("Group", "shop", { parentUid: root, name: "shop" });
const to = (sink: unknown, parentUid = `${root}/shop`) => ({ parentUid, sink });
const events = (was: object | undefined, is: object, more = {}) =>
  step("Subscription", "audit", was, is, { form: "platform:events:", of: `${root}/shop`, ...more });
const replaced = { op: "replace" };

test.each([
  ["of a group", to("https://evil.example/in?key=k"), "medium", `events of ${root}/shop are now sent to https://evil.example`, 0],
  ["of an organisation", to("https://evil.example", root), "high", `events of ${root} are now sent to https://evil.example`, 7],
  ["to a secret address", to("[secret]"), "high", `events of ${root}/shop are now sent to an address that is not shown`, 7],
  ["to one that is computed", to(unknownValue), "high", `events of ${root}/shop are now sent to an address that is not shown`, 7],
])("a new subscription to the events %s is a gain", async (_whose, inputs, severity, message, exit) => {
  const { code, document } = await gate([shop, events(undefined, inputs)]);
  expect(document.changes).toEqual([
    expect.objectContaining({
      effect: "gain",
      severity,
      message,
      role: "events",
      through: { kind: "subscription" },
      urn: "urn:pulumi:a::b::platform:events:Subscription::audit",
    }),
  ]);
  expect(code).toBe(exit);
});

test("text and Markdown show it, without the path and the query, which may be secret", async () => {
  const steps = [shop, events(undefined, to("https://evil.example/in?key=k"))];
  const { stdout: text } = await review(steps);
  expect(text).toContain(`medium    + events of ${root}/shop are now sent to https://evil.example\n`);
  const { stdout: markdown } = await review(steps, "--format", "markdown");
  expect(markdown).toContain(`events of \`${root}/shop\` are now sent to \`https://evil.example\` |`);
  expect(text + markdown).not.toContain("key");
});

test("another sink is a gain and a loss, the same one in a replacement is neither", async () => {
  const [one, two] = [to("https://one.example"), to("https://two.example")];
  const other = await gate([shop, events(one, two, replaced)]);
  expect(other.document.changes.map(({ severity, effect, message }) => [severity, effect, message])).toEqual([
    ["medium", "gain", `events of ${root}/shop are now sent to https://two.example`],
    ["low", "loss", `events of ${root}/shop are no longer sent to https://one.example`],
  ]);
  const { document } = await gate([shop, events(one, { ...one }, replaced), stays("Group", "x", { parentUid: root, name: "x" })]);
  expect(document.changes).toEqual([]);
});
