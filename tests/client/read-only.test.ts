import { z } from "zod";
import { PlatformClient } from "../../provider/client/client";
import { group } from "../../provider/kinds/group";
import { startServer } from "../support/http-double";
import { errorOf } from "./support";

test("a client that may only read sends reads and questions, and refuses every change before it is sent", async () => {
  const { url, seen } = await startServer(() => ({ body: { uid: "r/g", name: "g", groups: [] } }));
  const tokens = { advice: "", token: () => Promise.resolve("token"), forget: () => false };
  const client = new PlatformClient({ baseUrl: url, apiVersion: "v2beta1", tokens, readOnly: true });
  const { collection } = group;
  const changes = [
    () => client.create(collection, "r", { name: "g" }),
    () => client.update(collection, "r/g", { name: "h" }, ["name"]),
    () => client.delete(collection, "r/g"),
  ];
  for (const change of changes) {
    const error = await errorOf(change());
    expect(error).toMatchObject({ code: "READ_ONLY" });
    expect(error.message).toMatch(/^.*PLATFORM_READ_ONLY is set.*Nothing was sent/);
  }
  expect(seen).toEqual([]);
  expect(client.hasWritten).toBe(false);
  await client.get(collection, "r/g");
  await client.list(collection, {});
  await client.ask(collection, "r/g", { action: "check", body: {}, answer: z.unknown() });
  expect(seen.map(({ method }) => method)).toEqual(["GET", "GET", "POST"]);
});
