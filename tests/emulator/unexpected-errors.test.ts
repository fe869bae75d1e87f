import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { scratchFolder } from "../support/scratch-folder";
import { Bench } from "./support";

/** An emulator whose data file fails whenever a certain row is written or deleted. */
async function benchThatFails(moment: "INSERT" | "DELETE", row: string, how = "ABORT"): Promise<Bench> {
  const data = path.join(scratchFolder(), "platform.db");
  await (await new Bench().open({ data })).close();
  const file = new DatabaseSync(data);
  const which = moment === "INSERT" ? "new" : "old";
  file.exec(
    `CREATE TRIGGER broken BEFORE ${moment} ON objects WHEN ${which}.${row} BEGIN SELECT RAISE(${how}, 'the disk is gone'); END`,
  );
  file.close();
  bench = await new Bench().open({ data });
  return bench;
}

let bench: Bench;
let written: string;
beforeEach(() => {
  written = "";
  jest.spyOn(process.stderr, "write").mockImplementation((text) => {
    written += String(text);
    return true;
  });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await bench.close();
});

/** The stack of an error that a write to the data file ended with. */
const stack = /the disk is gone\n {4}at .*storage/s;

test("an error that the emulator did not expect is a 500 in the platform's form, and its stack is on stderr", async () => {
  const { root } = await benchThatFails("INSERT", "kind = 'roles'");
  const { status, body } = await bench.api("POST", `/iam/v2/roles/${root}`, { name: "role", capabilities: ["CAP_REPO_LIST"] });
  expect(status).toBe(500);
  expect(body).toMatchObject({ code: 13, details: [{ reason: "INTERNAL" }] });
  expect(written).toMatch(stack);
});

test("so is one for which the database itself has ended the transaction", async () => {
  const { root } = await benchThatFails("INSERT", "kind = 'roles'", "ROLLBACK");
  const post = () => bench.api("POST", `/iam/v2/roles/${root}`, { name: "role", capabilities: ["CAP_REPO_LIST"] });
  expect((await post()).status).toBe(500);
  expect(written).toMatch(stack);
  expect((await post()).status).toBe(500);
});

test("so is one of the admin API, which is no invalid call", async () => {
  const { root } = await benchThatFails("INSERT", "kind = 'roles'");
  expect((await bench.adminReply("POST", "objects/roles", { parent: root, name: "role" })).status).toBe(500);
  expect(written).toMatch(stack);
});

test("an error while an answer is sent is no broken connection", async () => {
  bench = await new Bench().open();
  await bench.fault({}, { status: 503, headers: { "no header": "x" } });
  const { status, body } = await bench.api("GET", `/iam/v2/groups/${bench.root}`);
  expect(status).toBe(500);
  expect(body).toMatchObject({ code: 13, details: [{ reason: "INTERNAL" }] });
  expect(await bench.requests()).toEqual([expect.objectContaining({ status: 500 })]);
  expect(written).toMatch(/valid HTTP token.*\n {4}at /s);
});

describe("a request that writes several rows writes all or none", () => {
  test("a root group and the binding of its owner", async () => {
    await benchThatFails("INSERT", "kind = 'roleBindings'");
    const before = await bench.objects("groups");
    expect((await bench.api("POST", "/iam/v2/groups/", { name: "other.example" })).status).toBe(500);
    expect(await bench.objects("groups")).toEqual(before);
  });

  test("terms", async () => {
    const { root } = await benchThatFails("INSERT", "fields ->> 'docId' = 'second'");
    const terms = `/iam/v2/terms/${root}`;
    const before = await bench.rows(terms);
    expect((await bench.api("POST", terms, { documentIds: ["first", "second"] })).status).toBe(500);
    expect(await bench.rows(terms)).toEqual(before);
  });

  test("an object and the grants to it", async () => {
    const { identity } = await benchThatFails("DELETE", "kind = 'roleBindings'");
    expect((await bench.adminReply("DELETE", `objects/identities/${identity}`)).status).not.toBe(200);
    expect(await bench.objects("identities")).toEqual([expect.objectContaining({ uid: identity })]);
  });

  test("an invite for a single use and the binding that it gives", async () => {
    const { identity } = await benchThatFails("DELETE", "kind = 'groupInvites'");
    const [invite] = await bench.objects("groupInvites");
    const { code, email } = { code: invite?.["code"], email: invite?.["email"] };
    const before = await bench.objects("roleBindings");
    expect((await bench.adminReply("POST", "invite-acceptances", { code, email, identity })).status).not.toBe(200);
    expect(await bench.objects("roleBindings")).toEqual(before);
  });
});
