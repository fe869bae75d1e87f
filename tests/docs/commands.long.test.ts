import { expectEnd, type Ended } from "../support/cli";
import { notRun, playedElsewhere } from "./not-run";
import type { Play } from "./play";
import { plays } from "./plays";
import { commandsOf, type ShellBlock, shellBlocks } from "./shell-blocks";
import { World } from "./world";

// Only ends what hangs. A block has up to five commands of the engine, each of which a busy machine may take minutes for.
jest.setTimeout(3_600_000);

let first: World;
let world: World;
let count = 0;

beforeAll(async () => {
  first = await World.create();
  await first.platform.close();
});
afterAll(() => first.remove());
beforeEach(async () => {
  world = await first.copy(`copy-${++count}`);
});
afterEach(() => world.platform.close());

const played = shellBlocks().filter(({ key }) => !(key in notRun) && !(key in playedElsewhere));

test.each(played)("$key", async ({ key, text }) => {
  const play = plays[key] ?? {};
  await play.before?.(world);
  await world.platform.clearRequests();
  const ended = await playBlock(text, play);
  await play.check?.(world, ended);
});

async function playBlock(block: ShellBlock["text"], { replace, environment, then = "", codes, ready }: Play): Promise<Ended> {
  let text = block;
  for (const [placeholder, value] of Object.entries((await replace?.(world)) ?? {})) {
    expect(text).toContain(placeholder);
    text = text.replaceAll(placeholder, value);
  }
  const variables = (await environment?.(world)) ?? {};
  const serving = ready && { ready };
  // npm ends with the code of the signal, or by it.
  const end = (ended: Ended, code: number) => expectEnd(ended, ready === undefined ? code : ended.code);
  if (codes === undefined) return end(await world.bash(`${text}\n${then}`, variables, serving), 0);
  const all: Ended = { code: 0, stdout: "", stderr: "" };
  const commands = commandsOf(text);
  expect(commands).toHaveLength(codes.length);
  for (const [index, command] of commands.entries()) {
    const { stdout, stderr } = end(await world.bash(command, variables, serving), codes[index] ?? 0);
    Object.assign(all, { stdout: all.stdout + stdout, stderr: all.stderr + stderr });
  }
  return all;
}
