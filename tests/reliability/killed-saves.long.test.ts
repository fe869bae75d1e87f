import { globSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { Project } from "../engine/project";
import { succeed } from "../engine/succeed";
import { TestPlatform } from "../support/test-platform";
import { hostsOf, kill, timeToEnd } from "./processes";
import { Random } from "./random";

jest.setTimeout(900_000);

const names = Array.from({ length: 10 }, (_, index) => `team-${index}`);
const latencyMs = 40;

/** Where in the run the kill comes. */
const points = Array.from({ length: 20 }, (_, seed) => seed);

interface Checkpoint {
  resources?: { id?: string }[];
  pending_operations?: { resource: { inputs: { name?: string } } }[];
}

test.concurrent.each(points)(
  "with ?metadata=skip, a SIGKILL leaves a state file that can be read and knows every object, and no side file (seed %i)",
  async (seed) => {
    const random = new Random(seed);
    const platform = await TestPlatform.start();
    const { uid: root } = await platform.create("groups", platform.root, { name: "saves" });
    const made = async () => (await platform.objects("groups")).filter(({ uid }) => uid.startsWith(`${root}/`));
    const project = await Project.create(`for (const name of ${JSON.stringify(names)}) new Group(name, { parentUid: root });`, {
      ...platform.environment,
      PLATFORM_ORGANIZATION: root,
    });
    project.environment["PULUMI_BACKEND_URL"] = `file://${project.folder}/backend?metadata=skip`;
    try {
      await platform.settings({ latencyMs });
      await platform.clearRequests();
      await project.during(["up", "--yes", "--skip-preview", "--parallel", "2"], async ({ pid: engine }) => {
        while ((await platform.writes()).length < 1 + (seed % names.length)) await sleep(2);
        const hosts = await hostsOf(engine);
        await sleep(random.between(0, 2 * latencyMs));
        [engine, ...hosts].forEach(kill);
        await timeToEnd(hosts);
      });
      while ((await platform.writes()).some(({ status }) => status === null)) await sleep(2);
      await platform.settings({ latencyMs: 0 });

      const { checkpoint } = JSON.parse(await project.storedState()) as { checkpoint: { latest?: Checkpoint } };
      const { resources = [], pending_operations: pending = [] } = checkpoint.latest ?? {};
      const known = [...resources.map(({ id }) => id), ...pending.map(({ resource }) => resource.inputs.name)];
      const unknown = (await made()).filter(({ uid, name }) => !known.includes(uid) && !known.includes(name));
      expect(unknown).toEqual([]);

      await project.pulumi("cancel", "--yes");
      await succeed(project.up());
      expect((await made()).map(({ name }) => name).sort()).toEqual(names);
      expect(await project.resources()).toHaveLength(names.length);
      expect(globSync("backend/**/*.attrs", { cwd: project.folder })).toEqual([]);
    } finally {
      await project.remove();
      await platform.close();
    }
  },
);
