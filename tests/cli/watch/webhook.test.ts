import { createHmac } from "node:crypto";
import Ajv from "ajv";
import addFormats from "ajv-formats";
import { Webhook as Verifier } from "standardwebhooks";
import { documentSchemas } from "../../../cli/documents";
import type { Change } from "../../../cli/watch/changes";
import { Webhook } from "../../../cli/watch/webhook";
import { type HttpDouble, type Seen, startServer } from "../../support/http-double";

const change: Change = {
  event: "appeared",
  finding: { class: "unmanaged", severity: "high", kind: "iam:RoleBinding", uid: "r/b", path: "acme", message: "somebody" },
};
const { signal } = new AbortController();

let status: number;
let server: HttpDouble;
let url: string;

beforeEach(async () => {
  status = 204;
  server = await startServer(() => ({ status }));
  url = `${server.url}/hook`;
});

test("a delivery has the signature of earlier versions over its time and its body, and does not hold the secret", async () => {
  expect(await new Webhook(url, "the secret").deliver([change], 1_700_000_000_123, signal)).toBeUndefined();
  const [{ body, headers }] = server.seen as [Seen];
  expect(JSON.parse(body)).toEqual({ version: 1, time: "2023-11-14T22:13:20.123Z", changes: [change] });
  expect(headers["x-platform-timestamp"]).toBe("1700000000");
  const expected = createHmac("sha256", "the secret").update(`1700000000.${body}`).digest("hex");
  expect(headers["x-platform-signature"]).toBe(`v1=${expected}`);
  expect(JSON.stringify(server.seen)).not.toContain("the secret");
});

test.each([200, 500])("the connection of an answer with a body that nobody reads is closed (%d)", async (code) => {
  const { promise: closed, resolve } = Promise.withResolvers<undefined>();
  const body = "the beginning of a body without an end";
  const receiver = await startServer(() => ({ status: code, body, stallAfter: 10 }));
  receiver.onClose = () => resolve(undefined);
  // Its own time limit would close it too.
  jest.spyOn(AbortSignal, "timeout").mockReturnValueOnce(signal);
  await new Webhook(receiver.url, "s").deliver([change], 0, signal);
  await closed;
});

test("a body fits the schema of the document webhook", async () => {
  await new Webhook(url, "s").deliver([change, { ...change, event: "resolved" }], 0, signal);
  const fits = addFormats(new Ajv()).compile(documentSchemas()["webhook"] as object);
  expect([fits(JSON.parse(server.seen[0]?.body ?? "")), fits.errors]).toEqual([true, null]);
});

test.each([
  ["a secret as Standard Webhooks writes it", `whsec_${Buffer.from("k".repeat(32)).toString("base64")}`, {}],
  ["any other text", "the secret", { format: "raw" as const }],
])("%s: a verifier of Standard Webhooks accepts a delivery, and nothing forged or changed", async (_what, secret, form) => {
  await new Webhook(url, secret).deliver([change], Date.now(), signal);
  const [{ body, headers }] = server.seen as [Seen];
  const verify = (text: string, more: object = {}, key = secret) =>
    new Verifier(key, form).verify(text, { ...(headers as Record<string, string>), ...more });
  expect(verify(body)).toEqual(JSON.parse(body));
  const forged = [
    () => verify(body.replace("high", "info")),
    () => verify(body, { "webhook-id": "msg_other" }),
    () => verify(body, { "webhook-timestamp": String(Number(headers["webhook-timestamp"]) + 1) }),
    () => verify(body, {}, `${secret.slice(0, -4)}AAA=`),
  ];
  for (const each of forged) expect(each).toThrow("No matching signature found");
});

test("changes that are sent again have the id that they had; with others, and as a later event, another", async () => {
  const webhook = new Webhook(url, "s");
  const resolved: Change = { ...change, event: "resolved" };
  status = 503;
  await webhook.deliver([change], 0, signal);
  await webhook.deliver([], 300_000, signal);
  status = 204;
  await webhook.deliver([resolved], 600_000, signal);
  await webhook.deliver([change, resolved], 900_000, signal);
  const [first, again, ...others] = server.seen.map(({ headers }) => headers["webhook-id"]);
  expect(again).toBe(first);
  expect(new Set([first, ...others]).size).toBe(3);
});

test("nothing is sent where nothing changed", async () => {
  expect(await new Webhook(url, "s").deliver([], 0, signal)).toBeUndefined();
  expect(server.seen).toEqual([]);
});

test("what a receiver refused is sent again with what came later", async () => {
  const webhook = new Webhook(url, "s");
  status = 503;
  expect(await webhook.deliver([change], 0, signal)).toBe("the receiver returned 503");
  status = 204;
  await webhook.deliver([{ ...change, event: "resolved" }], 1, signal);
  expect(JSON.parse(server.seen[1]?.body ?? "")).toMatchObject({ changes: [{ event: "appeared" }, { event: "resolved" }] });
  await webhook.deliver([], 2, signal);
  expect(server.seen).toHaveLength(2);
});

/** Findings by what each delivery had of them: their uids. */
const delivered = () =>
  server.seen.map(({ body }) => (JSON.parse(body) as { changes: Change[] }).changes.map(({ finding }) => finding.uid));
const changes = (count: number, severity: "critical" | "low", name: string): Change[] =>
  Array.from({ length: count }, (_, index) => ({ ...change, finding: { ...change.finding, severity, uid: `${name}${index}` } }));

test("every change is delivered, the worst first, in deliveries of at most 1,000", async () => {
  const all = [...changes(3, "critical", "c"), ...changes(2_500, "low", "l")];
  expect(await new Webhook(url, "s").deliver(all, 0, signal)).toBeUndefined();
  expect(delivered().map(({ length }) => length)).toEqual([1_000, 1_000, 503]);
  expect(delivered().flat()).toEqual(all.map(({ finding }) => finding.uid));
});

test("of more than 1,000 changes that were refused, the worst are sent again, and it says how many are not", async () => {
  const webhook = new Webhook(url, "s");
  status = 503;
  const dropped = (count: string) => `the receiver returned 503 (${count} changes were dropped: only the worst 1,000 are kept)`;
  expect(await webhook.deliver(changes(1_200, "low", "l"), 0, signal)).toBe(dropped("200"));
  expect(await webhook.deliver(changes(3, "critical", "c"), 1, signal)).toBe(dropped("203"));
  status = 204;
  server.seen.splice(0);
  expect(await webhook.deliver(changes(1, "low", "new"), 2, signal)).toBeUndefined();
  const [first, second] = delivered();
  expect([first?.length, first?.[0], first?.slice(-3), second]).toEqual([1_000, "l0", ["c0", "c1", "c2"], ["new0"]]);
});

test("a redirect is not followed: the receiver is the one that was named", async () => {
  status = 302;
  expect(await new Webhook(url, "s").deliver([change], 0, signal)).toBeDefined();
});

test.each(["http://alerts.example/hook", "ftp://127.0.0.1/", "http://127.evil.example/", "no address"])(
  "%s is refused",
  (address) => {
    expect(() => new Webhook(address, "s")).toThrow("--webhook must be");
  },
);

test.each([undefined, ""])("a webhook without a secret is refused", (secret) => {
  expect(() => new Webhook(url, secret)).toThrow("PLATFORM_WEBHOOK_SECRET");
});

test.each([
  "https://user:hunter2-secret@alerts.example/",
  "https://hunter2-secret@alerts.example/",
  "http://:hunter2-secret@127.0.0.1/",
])("an address with a user name or a password is refused, and not quoted (%s)", (address) => {
  const refused = () => new Webhook(address, "the secret");
  expect(refused).toThrow("--webhook must be an address without user name and password");
  expect(refused).not.toThrow("hunter2-secret");
});
