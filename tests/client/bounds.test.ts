import { z } from "zod";
import { bindProcess, type ProposedCall } from "../../provider/client/bounds";
import { PlatformError } from "../../provider/client/errors";
import { group } from "../../provider/kinds/group";
import { startServer } from "../support/http-double";
import { clientOf, errorOf } from "./support";

test("the limits of a process see every change but deletes before it is sent, and every token for a registry", async () => {
  const { url, seen } = await startServer(() => ({ body: { uid: "r/g", name: "g", groups: [] } }));
  const asked: string[] = [];
  const refuse = (what: string) => {
    asked.push(what);
    return Promise.reject(new PlatformError("NOT_REHEARSED", "no"));
  };
  bindProcess({
    origins: [new URL(url).origin],
    within: (_client, { method, path }: ProposedCall) => refuse(`${method} ${path}`),
    permitRegistryToken: (_client, { registry }) => refuse(registry),
  });
  const registryToken = () => Promise.resolve({ token: "t", expiry: "" });
  const client = clientOf(url, { tokens: { token: () => Promise.resolve("token"), forget: () => false, registryToken } });
  const { collection } = group;
  const batch = { ...collection, batch: { limit: 2, member: "group" } };
  for (const change of [
    () => client.create(collection, "r", { name: "g" }),
    () => client.createBatch(batch, "r", [{ name: "g" }, { name: "h" }]),
    () => client.update(collection, "r/g", { name: "h" }, ["name"]),
    () => client.registryToken({ registry: "registry.example" }),
  ])
    expect(await errorOf(change())).toMatchObject({ code: "NOT_REHEARSED" });
  expect(asked).toEqual([
    "POST /iam/{version}/groups/r",
    "POST /iam/{version}/groups:batchCreate",
    "PATCH /iam/{version}/groups/r/g",
    "registry.example",
  ]);
  expect(seen).toEqual([]);
  await client.get(collection, "r/g");
  await client.ask(collection, "r/g", { action: "check", body: {}, answer: z.unknown() });
  await client.delete(collection, "r/g");
  expect(seen.map(({ method }) => method)).toEqual(["GET", "POST", "DELETE"]);
});

test("a process with limits sends nothing to another origin", async () => {
  const [own, other] = [await startServer(() => ({ body: {} })), await startServer(() => ({ body: {} }))];
  bindProcess({
    origins: [new URL(own.url).origin],
    within: (_client, _call, send) => send(),
    permitRegistryToken: () => Promise.resolve(),
  });
  expect(await errorOf(clientOf(other.url).delete(group.collection, "r/g"))).toMatchObject({ code: "CONFIGURATION" });
  expect(other.seen).toEqual([]);
});
