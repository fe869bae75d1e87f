import { blocks } from "../docs/markdown";
import type { Door } from "../support/door";
import { isLong } from "../support/tier";
import { javascript } from "./project";
import { fail, succeed } from "./succeed";
import { platform, project, useProject } from "./use-project";

const page = "docs/guides/delete-a-department.md";
const [department = "", deleting = "", retaining = "", adopting = ""] = blocks("ts", page).map(({ text }) => text);

/** Makes a program of the page the one of the project. */
async function declare(text: string): Promise<void> {
  const [here, door] = [text.replaceAll(/"[0-9a-f]{40}"/g, JSON.stringify(platform.root)), project.door];
  await project.file(
    "index.js",
    await javascript(door === "native" ? here.replaceAll('"pulumi-platform"', '"pulumi-platform/native"') : here),
  );
}

/** Declares `text` and runs an update. */
async function applied(text: string): Promise<string> {
  await declare(text);
  return (await succeed(project.up())).output;
}

/** Kinds of the objects below the root that the program has made. */
async function left(): Promise<string[]> {
  const all = await platform.allObjects();
  const { uid } = (all["groups"] ?? []).find(({ name }) => name === "department") ?? { uid: "none" };
  return Object.keys(all)
    .filter((kind) => all[kind]?.some((row) => row.uid === uid || row.uid.startsWith(`${uid}/`)))
    .sort();
}

/** The update that fails, and the way on that the page names. */
async function failsAndGoesOn(): Promise<void> {
  await applied(department);
  await declare("");
  const preview = await succeed(project.pulumi("preview", "--json", "--show-sames"));
  await project.file("preview.json", preview.stdout);
  const review = await project.command("review", "--file", "preview.json", "--fail-on", "critical");
  expect(review).toMatchObject({ code: 7, stderr: expect.stringContaining("will fail half-way") as string });

  const { output } = await fail(project.up(), "blocked by repo", "[FAILED_PRECONDITION]", "A repo stays when its Repo resource");
  expect(output).toMatch(/warning: group .* keeps a repo that leaves the program/);
  expect(output).not.toContain("forceDestroy");
  expect(await left()).toEqual(["groups", "repos"]);

  await applied(adopting);
  await applied("");
  expect(await left()).toEqual([]);
}

describe.each<Door>(isLong ? ["dynamic", "native"] : ["dynamic"])("through the %s door", (door) => {
  useProject("", { door });

  test("the page's steps delete a department with its repos, or keep them, or go on where an update has failed", async () => {
    await applied(department);
    await applied(deleting);
    await applied("");
    expect(await left()).toEqual([]);

    await applied(department);
    expect(await left()).toEqual(["groups", "identities", "repos", "roleBindings"]);
    await applied(retaining);
    await applied("");
    expect(await left()).toEqual(["groups", "repos"]);
    expect(await project.resources()).toEqual([]);
    const repos = await platform.objects("repos");
    for (const { uid } of repos.filter(({ name }) => name === "images")) await platform.delete("repos", uid);
    await platform.delete("groups", (await platform.named("groups", "department")).uid);

    await failsAndGoesOn();
  });
});
