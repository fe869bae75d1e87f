import { Contract } from "../contract/contract";
import { Bench } from "./support";

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.start();
});
afterAll(() => bench.stop());

const lists = new Contract().operations.flatMap((operation) => {
  const [method, path = ""] = operation.split(" ");
  const isList = method === "GET" && /\/v2\/[A-Za-z]+$/.test(path) && !path.endsWith("/ping");
  return isList ? [path] : [];
});

test("the contract has twelve lists", () => {
  expect(lists).toHaveLength(12);
});

test.each(lists)("the seeded organization has an object of every kind: %s", async (path) => {
  const { totalCount } = await bench.ok("GET", path);
  expect(Number(totalCount)).toBeGreaterThan(0);
});

test("the seeded organization has accepted terms, and a README", async () => {
  const { organization } = bench.emulator;
  expect(await bench.ok("GET", `/iam/v2/terms/${organization}`)).toMatchObject({ totalCount: "1" });
  const { repos } = await bench.ok("GET", "/registry/v2/repos?name=web-server");
  const [repo] = repos as { uid: string }[];
  const { content } = await bench.ok("GET", `/registry/v2/repos/${String(repo?.uid)}/readme`);
  expect(content).toMatch(/^# web-server/);
});

test("the seeded objects keep to the rules: each can be read by uid, and the invite is still open", async () => {
  const now = Date.now();
  for (const path of lists) {
    const collection = path.slice(path.lastIndexOf("/") + 1);
    const body = await bench.ok("GET", path);
    for (const { uid } of body[collection] as { uid: string }[])
      expect(await bench.ok("GET", `${path}/${uid}`)).toMatchObject({ uid });
  }
  const { groupInvites } = await bench.ok("GET", "/iam/v2/groupInvites");
  const [invite] = groupInvites as { expirationTime: string }[];
  expect(Date.parse(String(invite?.expirationTime))).toBeGreaterThan(now);
});
