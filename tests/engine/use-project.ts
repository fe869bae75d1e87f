import type { Door } from "../support/door";
import { TestPlatform } from "../support/test-platform";
import { Project } from "./project";

/** The platform of the present test. */
export let platform: TestPlatform;
/** The project of the present test, on that platform. */
export let project: Project;

/**
 * Gives each test of a file, or all of them together, a platform and a project on it.
 *
 * @param program of the project; a function is called when the platform has started
 * @param options what the tests share; whether the platform has the sample organisation; which door
 */
export function useProject(
  program: string | (() => string | Promise<string>) = "",
  { shared = false, sample = false, door }: { shared?: boolean; sample?: boolean; door?: Door } = {},
): void {
  const [before, after] = shared ? [beforeAll, afterAll] : [beforeEach, afterEach];
  /** Ends what has started: less than both when a start failed. */
  const ends: (() => Promise<void>)[] = [];
  before(async () => {
    platform = await TestPlatform.start({ seed: sample ? "sample" : "minimal" });
    ends.push(() => platform.close());
    project = await Project.create(typeof program === "string" ? program : await program(), platform.environment, door);
    ends.push(() => project.remove());
  });
  after(() => Promise.all(ends.splice(0).map((end) => end())));
}
