import { startGrpcGateway } from "../support/grpc-gateway";
import { lines, login, Organization } from "./organization";

/** Most characters of an answer. */
const limit = 100_000;

let organization: Organization;
let state: string;

beforeAll(async () => {
  organization = await Organization.start();
  state = await organization.state();
});
beforeEach(async () => {
  const { baseUrl } = organization.platform;
  const gateway = await startGrpcGateway(baseUrl, limit);
  organization.environment = { PLATFORM_BASE_URL: gateway, PLATFORM_AUTH_URL: baseUrl, PLATFORM_AUDIENCE: baseUrl };
});
afterAll(() => organization.platform.close());

const stringMatching = (pattern: RegExp) => expect.stringMatching(pattern) as string;
/** The login of a managed identity, given to somebody else: what must be told, whatever else there is. */
const opened = "medium changed iam:Identity acme/engineering/shop/ci";
const loginOf = (size: number) => ({ issuer: "https://issuer.example.com", subjectPattern: `^repo:acme/${"x".repeat(size)}$` });

test("many objects of which a page is too large are compared, and so are all others", async () => {
  const { platform } = organization;
  const made = Array.from({ length: 60 }, (_, index) =>
    platform.create("identities", organization.uid("web"), { name: `big-${index}`, claimMatch: loginOf(limit / 10) }),
  );
  const big = await Promise.all(made);
  await platform.change("identities", organization.uid("ci"), { claimMatch: login("repo:evil/shop:ref:refs/heads/main") });
  const { findings } = await organization.drift([state]);
  expect(findings.filter(({ class: what }) => what === "unreadable")).toEqual([]);
  expect(lines(findings)).toContain(opened);
  expect(findings.filter(({ class: what, kind }) => what === "unmanaged" && kind === "iam:Identity")).toHaveLength(60);
  for (const { uid } of big) await platform.delete("identities", uid);
});

test("an object in no state that is too large is named by its neighbour, and hides no other", async () => {
  const { platform } = organization;
  const big = await platform.create("identities", organization.uid("acme"), { name: "big", claimMatch: loginOf(limit) });
  const { findings, coverage } = await organization.drift([state]);
  expect(lines(findings)).toEqual(["high unreadable iam:Identity acme", opened]);
  expect(findings[0]).toMatchObject({ uncompared: 0, message: stringMatching(/1 row of the List is larger .*: number \d/) });
  expect(coverage.find(({ kind }) => kind === "iam:Identity")).toMatchObject({ unreadable: 0 });
  await platform.delete("identities", big.uid);
});

test("a managed object that became too large is unreadable by its name, and another one that is gone is not known to be", async () => {
  const { platform } = organization;
  await platform.change("identities", organization.uid("nightly"), { claimMatch: loginOf(limit) });
  const before = await platform.named("identities", "ci");
  await platform.delete("identities", before.uid);
  const { findings, coverage } = await organization.drift([state]);
  const unreadable = ["high unreadable iam:Identity acme", "high unreadable iam:Identity acme/ops/nightly"];
  expect(lines(findings).filter((line) => line.includes("iam:Identity"))).toEqual(unreadable);
  const named = findings.find(({ uid }) => uid === organization.uid("nightly"));
  expect(named?.message).toMatch(/^Cannot tell: Identity acme\/ops\/nightly was not compared: it is larger than any answer/);
  expect(coverage.find(({ kind }) => kind === "iam:Identity")).toMatchObject({ managed: 0, unreadable: 2 });
});

// The binding of the identity that is gone went with it.
test("where hardly any row can be read, those in states are read by their uids", async () => {
  const { platform } = organization;
  await platform.fault(
    { path: "/roleBindings$", query: "descendants_of" },
    { status: 429, code: 8, message: "grpc: received message larger than max (5000000 vs. 4194304)" },
    { times: 1_000 },
  );
  const { findings, coverage } = await organization.drift([state]);
  expect(findings.filter(({ kind }) => kind === "iam:RoleBinding")).toEqual([
    expect.objectContaining({ class: "unreadable", uncompared: 1, message: stringMatching(/more than 32 of its rows/) }),
  ]);
  expect(coverage.find(({ kind }) => kind === "iam:RoleBinding")).toMatchObject({ managed: 3, unreadable: 1 });
  await platform.clearFaults();
});
