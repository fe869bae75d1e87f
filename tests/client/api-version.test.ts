import { groups } from "../support/collections";
import { type Answer, type HttpDouble, startServer } from "../support/http-double";
import { clientOf, errorOf, group, rpcError } from "./support";
import { expectFailure } from "../support/failures";

const pong: Answer = { body: { response: "pong" } };
const missing = rpcError(404, 5, "Not Found");
const page: Answer = { status: 404, headers: { "content-type": "text/html" }, body: "<h1>Not Found</h1>" };

/** A platform that answers the pings of some versions, and every other request with a group. */
function platform(pings: Record<string, Answer | "reset">, otherwise: Answer = missing): Promise<HttpDouble> {
  return startServer(({ path }) => {
    const version = /^\/ping\/(\w+)\/ping$/.exec(path)?.[1];
    return version === undefined ? { body: group("a") } : (pings[version] ?? otherwise);
  });
}

const client = ({ url }: HttpDouble) => clientOf(url, { apiVersion: "auto" });
const paths = ({ seen }: HttpDouble) => seen.map(({ path }) => path);

describe("auto", () => {
  test.each<[string, Record<string, Answer>, Answer, string[], string]>([
    ["v2 where both are served", { v2: pong, v2beta1: pong }, missing, ["/ping/v2/ping"], "v2"],
    ["v2 where only that is served", { v2: pong }, missing, ["/ping/v2/ping"], "v2"],
    ["v2beta1 where v2 is not found", { v2beta1: pong }, missing, ["/ping/v2/ping", "/ping/v2beta1/ping"], "v2beta1"],
    ["v2beta1 where a proxy does not know v2", { v2beta1: pong }, page, ["/ping/v2/ping", "/ping/v2beta1/ping"], "v2beta1"],
    [
      "v2beta1 where v2 is not implemented",
      { v2beta1: pong },
      rpcError(501, 12),
      ["/ping/v2/ping", "/ping/v2beta1/ping"],
      "v2beta1",
    ],
  ])("chooses %s", async (_what, pings, otherwise, asked, version) => {
    const server = await platform(pings, otherwise);
    await client(server).get(groups, "a");
    expect(paths(server)).toEqual([...asked, `/iam/${version}/groups/a`]);
  });

  test("asks once, however many calls wait for the answer, and without the token", async () => {
    const server = await platform({ v2: pong });
    const one = client(server);
    await Promise.all(Array.from({ length: 20 }, () => one.get(groups, "a")));
    await one.get(groups, "a");
    expect(paths(server).filter((path) => path.startsWith("/ping/"))).toEqual(["/ping/v2/ping"]);
    expect(server.seen[0]?.headers.authorization).toBeUndefined();
  });

  test("asks nothing where the version is set", async () => {
    const server = await platform({});
    await clientOf(server.url, { apiVersion: "v2" }).get(groups, "a");
    expect(paths(server)).toEqual(["/iam/v2/groups/a"]);
  });

  test("neither version is an error that says what was asked and what to do, and nothing else is sent", async () => {
    const server = await platform({});
    const error = await expectFailure(client(server).create(groups, "root", { name: "a" }), "CONFIGURATION");
    expect(error.message).toBe(
      `${server.url} serves no known version of the API: /ping/v2/ping and /ping/v2beta1/ping are not found. Check the API address, or set apiVersion to v2 or v2beta1 instead of auto. Nothing else was sent.`,
    );
    expect(paths(server)).toEqual(["/ping/v2/ping", "/ping/v2beta1/ping"]);
  });

  test("a transient fault of the question is retried, and does not pass for an answer", async () => {
    const server = await startServer(({ path }, count) => {
      if (count < 3) return rpcError(503, 14, "busy");
      return path.startsWith("/ping/") ? pong : { body: group("a") };
    });
    await client(server).get(groups, "a");
    expect(paths(server)).toEqual(["/ping/v2/ping", "/ping/v2/ping", "/ping/v2/ping", "/iam/v2/groups/a"]);
  });

  test.each<[string, Answer | "reset"]>([
    ["a lost connection", "reset"],
    ["an outage", rpcError(503, 14, "busy")],
    ["a refusal", rpcError(403, 7, "no")],
    ["a page of a proxy", { headers: { "content-type": "text/html" }, body: "<h1>Sign in</h1>" }],
  ])("%s is no answer: a create fails as not sent, and the next call asks again", async (_what, fault) => {
    const pings: Record<string, Answer | "reset"> = { v2: fault };
    const server = await platform(pings);
    const one = client(server);
    await expectFailure(
      one.create(groups, "root", { name: "a" }),
      "NOT_CONNECTED",
      "cannot find out which version of the API is served: ",
      "Set apiVersion to v2 or v2beta1 instead of auto",
    );
    expect(paths(server).every((path) => path === "/ping/v2/ping")).toBe(true);
    pings["v2"] = pong;
    await one.get(groups, "a");
    expect(paths(server).at(-1)).toBe("/iam/v2/groups/a");
  });

  test("a caller that aborts stops waiting, and the others get their answer", async () => {
    let release: (answer: Answer) => void = () => undefined;
    const held = new Promise<Answer>((resolve) => (release = resolve));
    const server = await startServer(({ path }) => (path.startsWith("/ping/") ? held : { body: group("a") }));
    const one = client(server);
    const abort = new AbortController();
    const cancelled = errorOf(one.get(groups, "a", { signal: abort.signal }));
    const other = one.get(groups, "a");
    abort.abort();
    expect(await cancelled).toMatchObject({ code: "CALLER_ABORTED" });
    release(pong);
    expect(await other).toMatchObject({ uid: "a" });
  });
});

test("a version whose ping is refused is not among the served ones; where every ping is refused, that is the error", async () => {
  const refused = rpcError(401, 16, "no token");
  const served = async (pings: Record<string, Answer>) =>
    clientOf((await platform(pings, refused)).url, { apiVersion: "v2beta1" }).servedVersions();
  expect(await served({ v2: pong })).toEqual(["v2"]);
  expect(await served({ v2beta1: pong })).toEqual(["v2beta1"]);
  await expectFailure(served({}), "UNAUTHENTICATED");
});

test("with auto, a refused ping that fails every call is the error", async () => {
  const server = await platform({ v2beta1: pong }, rpcError(401, 16, "no token"));
  const error = await errorOf(client(server).servedVersions());
  expect(error.message).toContain("cannot find out which version of the API is served");
});
