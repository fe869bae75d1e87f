import { readOrganization } from "../../cli/access/organization";
import { drawTree } from "../../cli/access/tree";
import { cleanUp, clientOf, errorOf, group, type Reaction, rpcError, type Seen, startServer } from "../client/support";

afterEach(cleanUp);

const groups = [group("r", { name: "acme" }), group("r/e", { name: "engineering" }), group("r/s", { name: "sales" })];
const identities = [{ uid: "r/e/i", name: "ci", claimMatch: { issuer: "i" } }];
const binding = (uid: string, identityUid: string, name: string) => ({
  uid,
  identity: { uid: identityUid, name },
  role: { uid: "viewer-role", name: "viewer" },
});
const roleBindings = [binding("r/b", "r/s/i", "bot"), binding("r/e/b", "r/e/i", "ci")];
const rows: Record<string, { uid: string }[]> = { groups, identities, roleBindings };

/** A platform that holds the rows above, and reacts otherwise where `react` says so. */
const startPlatform = (react: (seen: Seen) => Reaction | undefined = () => undefined) =>
  startServer((seen) => {
    const [segment = "", ...uid] = seen.path.slice("/iam/v2beta1/".length).split("/");
    const found = rows[segment]?.find((row) => row.uid === uid.join("/"));
    const all = { body: { [segment]: rows[segment], nextPageToken: "" } };
    return react(seen) ?? (uid.length === 0 ? all : found ? { body: found } : rpcError(404, 5));
  });

test("a subtree is read with the roles bound above it and the paths of identities elsewhere", async () => {
  const { url } = await startPlatform();
  expect(drawTree(await readOrganization(clientOf(url), "r/e")).split("\n")).toEqual([
    "acme/engineering/",
    "├─ viewer → acme/sales/bot  (from acme/)",
    '├─ @ci  issuer "i"',
    "└─ viewer → acme/engineering/ci",
  ]);
});

test("whatever cannot be read is named, never left out silently", async () => {
  const isReadable = (path: string) => path.endsWith("/r/e");
  const { url } = await startPlatform(({ path }) => (isReadable(path) ? undefined : rpcError(403, 7, "hidden")));
  const { missing } = await readOrganization(clientOf(url), "r/e");
  expect(missing.map((sentence) => sentence.split(":", 1)[0])).toEqual(
    expect.arrayContaining([
      "Groups below",
      "Group r above and its name",
      "Identities",
      "Roles bound here and below",
      "Roles bound at r above",
    ]),
  );
});

test("a group that cannot be read at all is an error", async () => {
  const { url } = await startPlatform();
  expect(await errorOf(readOrganization(clientOf(url), "r/x"))).toMatchObject({ code: "NOT_FOUND" });
});
