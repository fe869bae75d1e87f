import { getRepo, getRepoReadme } from "../../sdk/functions";
import { runErrorOf, usePlatform } from "./support";

const { platform } = usePlatform();

async function uidOf(name: string): Promise<string> {
  return (await getRepo({ name })).uid;
}

test("the README of a repo is read by one GET, and is empty where there is none", async () => {
  const [written, none] = [await uidOf("web-server"), await uidOf("shell")];
  await platform.clearRequests();
  expect(await getRepoReadme({ uid: written })).toEqual({
    uid: written,
    content: expect.stringMatching(/^# web-server\n/) as string,
  });
  expect(await getRepoReadme({ uid: none })).toEqual({ uid: none, content: "" });
  expect(await platform.requests()).toMatchObject([
    { method: "GET", path: `/registry/v2beta1/repos/${written}/readme` },
    { method: "GET", path: `/registry/v2beta1/repos/${none}/readme` },
  ]);
});

test("a repo that does not exist is an error that names it", async () => {
  const missing = `${platform.root}/0123456789abcdef`;
  expect(await runErrorOf(getRepoReadme({ uid: missing }))).toContain(missing);
});

test.each([
  [undefined, "the README of which repo? Pass uid."],
  [{ uid: "" }, "uid"],
  [{ uid: "a/b", content: "# Mine" }, "content"],
])("getRepoReadme(%j) is rejected before anything is sent", async (args, message) => {
  await platform.clearRequests();
  expect(await runErrorOf((getRepoReadme as (args?: object) => Promise<unknown>)(args))).toContain(message);
  expect(await platform.requests()).toEqual([]);
});

test("an answer about another repo is not taken for this one's", async () => {
  const uid = await uidOf("web-server");
  await platform.fault({ path: "/readme$" }, { rewrite: { uid: await uidOf("shell") } });
  expect(await runErrorOf(getRepoReadme({ uid }))).toContain("the platform returned");
});

test("the result has members that are newer than the package", async () => {
  const uid = await uidOf("web-server");
  await platform.fault({ path: "/readme$" }, { rewrite: { length: 12 } });
  expect(await getRepoReadme({ uid })).toMatchObject({ uid, length: 12 });
});
