import { readFile } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import { type Known, knownOnline } from "../../cli/review/known";
import { reviewOf } from "../../cli/review/review";
import { readPreviewFile } from "../../preview/file";
import { isAtOrBelow } from "../../provider/client/uid";
import { Project } from "../engine/project";
import { settingsOf } from "../support/engine-simulator";
import { TestPlatform } from "../support/test-platform";
import { abilitiesIn, gained, rowsOf } from "./effective-access";
import { writeFigures } from "./figures";
import { acceptedOutcome } from "./review/accepted";
import type { Outcome } from "./review/engine";
import { builtInRoles, Platform, type Thing } from "./review/platform";
import { type Look, looks, urnIn } from "./review/preview";
import { fieldsOf, isRejected, inRoom, programOf, type Room } from "./review/program";
import { orders, type Slot, updates } from "./review/random-update";
import { groupIn, type Missing, missingIn } from "./review/told";

jest.setTimeout(1_800_000);

const seed = 20_261_123;
const numRuns = 200;
/** How many updates are one program: a command takes longer to start than what it does for one of them. */
const batchSize = 25;

/** A random update that the platform is expected to accept. */
interface Sample {
  readonly outcome: Outcome;
  readonly look: Look;
  readonly suffix: string;
}

function samples(): Sample[] {
  const all = fc.sample(fc.tuple(updates, orders, looks), { seed, numRuns: 3 * numRuns });
  const accepted = all.flatMap(([update, order, look], index): Sample[] => {
    const suffix = `r${index}`;
    const outcome = acceptedOutcome(inRoom(update, suffix), order);
    return outcome === undefined || isRejected(outcome) ? [] : [{ outcome, look, suffix }];
  });
  return accepted.slice(0, numRuns);
}

/** The uids of the groups of a program, by slot. */
type Groups = ReadonlyMap<string, string>;

/** Some updates in one stack, each with a root group of its own. */
class Batch {
  /** The rooms in which nothing has failed. */
  rooms: Room[] = [];

  private constructor(
    private readonly platform: TestPlatform,
    private readonly project: Project,
  ) {}

  static async create(platform: TestPlatform, chosen: readonly Sample[], types: Look["types"]): Promise<Batch> {
    const environment = {
      ...platform.environment,
      PLATFORM_ADOPT: "true",
      PULUMI_EXPERIMENTAL: "1",
      PULUMI_SKIP_CHECKPOINTS: "1",
    };
    const project = await Project.create("", environment, types === "platform:" ? "native" : "dynamic");
    const batch = new Batch(platform, project);
    for (const { look, ...sample } of chosen) {
      // The engine imports no dynamic resources.
      const imports = look.imports && types === "platform:";
      batch.rooms.push(await batch.#room({ ...sample, look: { ...look, types, imports } }));
    }
    return batch;
  }

  async #room(sample: Sample): Promise<Room> {
    const [organization, name] = [this.platform.root, `room-${sample.suffix}`];
    const { uid: root } = await this.platform.create("groups", organization, { name });
    const uids = new Map<string, string>();
    const room: Room = { ...sample, organization, root, path: `acme.example/${name}`, uids };
    for (const [name, { uid }] of builtInRoles) uids.set(uid, await this.platform.role(name));
    for (const thing of new Platform().all) {
      if (thing.parent === "") uids.set(thing.uid, root);
      else await this.#make(room, thing);
    }
    return room;
  }

  /** Makes an object of others. */
  async #make(room: Room, thing: Thing): Promise<void> {
    const collections: Partial<Record<Thing["kind"], string>> = {
      Group: "groups",
      Identity: "identities",
      Role: "roles",
      RoleBinding: "roleBindings",
    };
    const collection = collections[thing.kind] ?? "";
    const made = await this.platform.create(collection, room.uids.get(thing.parent) ?? "", fieldsOf(thing, room));
    room.uids.set(thing.uid, made.uid);
  }

  /** Does the program before the updates; others add what is theirs. @returns how many rooms fail */
  async start(): Promise<number> {
    const failed = await this.#up("before");
    const urns = await this.#urns();
    for (const room of this.rooms) {
      const { outcome, look, uids } = room;
      for (const [name, { id }] of outcome.state) {
        const { before } = outcome.update.get(name) ?? {};
        // These have the uid of their group.
        if (before === undefined || before.kind === "GroupAccess" || before.kind === "AccountAssociation") continue;
        uids.set(id, urns.get(urnIn(look, before)) ?? "");
      }
      for (const thing of outcome.before.all) if (thing.slot === undefined && !uids.has(thing.uid)) await this.#make(room, thing);
    }
    return failed;
  }

  /** Does the updates. @returns how many rooms fail */
  update(): Promise<number> {
    return this.#up("after", ...this.#flags());
  }

  /** Runs the program, and goes on with the rooms in which nothing fails. @returns how many others there are */
  async #up(side: "before" | "after", ...flags: readonly string[]): Promise<number> {
    await this.platform.letTimePass();
    await this.project.program(programOf(this.rooms, side));
    const { code, output } = await this.project.up("--continue-on-error", ...flags);
    if (code === 0) return 0;
    const left = await this.#leave(output);
    // Where something could not be made, the engine has not deleted what is replaced or no longer declared, in any room.
    return left === 0 ? 0 : left + (await this.#up(side));
  }

  /** Uids in state by URN. */
  async #urns(): Promise<Map<string, string>> {
    return new Map((await this.project.resources()).map(({ urn, id = "" }) => [urn, id]));
  }

  /** The groups of each room, by its suffix. */
  async groups(side: "before" | "after"): Promise<ReadonlyMap<string, Groups>> {
    const urns = await this.#urns();
    const groupsOf = ({ outcome: { update }, look }: Room) =>
      [...update].flatMap(([name, { [side]: group }]) =>
        group?.kind === "Group" ? [[name, urns.get(urnIn(look, group)) ?? ""] as const] : [],
      );
    return new Map(this.rooms.map((room) => [room.suffix, new Map(groupsOf(room))]));
  }

  /** The preview of the updates, and how many it refuses: it ends at what fails, and is done again without those rooms. */
  async preview(refused = 0): Promise<{ text: string; refused: number }> {
    await this.project.program(programOf(this.rooms, "after"));
    const { code, stdout, output } = await this.project.preview("--json", "--show-sames", ...this.#flags());
    if (code === 0) return { text: stdout, refused };
    const left = await this.#leave(output);
    if (left === 0) throw new Error(output);
    return this.preview(refused + left);
  }

  /**
   * Goes on without the rooms in which the last command has failed. Perhaps it failed only to delete what is in those that are left already.
   *
   * @returns how many rooms that are
   * @throws Error if it has failed in none
   */
  async #leave(output: string): Promise<number> {
    const log = await readFile(path.join(this.project.folder, "events.json"), "utf8");
    const events = log.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as EngineEvent]));
    const failed = events.flatMap(({ resOpFailedEvent: failure, diagnosticEvent: message }) => {
      const urn = failure?.metadata.urn ?? (message?.severity === "error" ? message.urn : undefined);
      return /r\d+$/.exec(urn ?? "") ?? [];
    });
    if (failed.length === 0) throw new Error(output);
    const { length } = this.rooms;
    this.rooms = this.rooms.filter(({ suffix }) => !failed.includes(suffix));
    return length - this.rooms.length;
  }

  /** The options for resources that the update replaces although nothing asks for it. */
  #flags(): string[] {
    const forced = ({ before, after, isForced }: Slot) => (isForced && before !== undefined ? (after ?? []) : []);
    return this.rooms.flatMap(({ outcome, look }) =>
      [...outcome.update.values()].flatMap(forced).flatMap((resource) => ["--replace", urnIn(look, resource)]),
    );
  }

  async end(): Promise<void> {
    await this.project.remove();
    for (const { uid } of (await this.platform.objects("groups")).filter(({ uid }) => uid.split("/").length === 2))
      await this.platform.delete("groups", uid);
  }
}

interface EngineEvent {
  readonly resOpFailedEvent?: { readonly metadata: { readonly urn: string } };
  readonly diagnosticEvent?: { readonly urn?: string; readonly severity: string };
}

/** The preview of one room. */
function previewOf(text: string, suffix: string): string {
  const { steps } = JSON.parse(text) as { steps: { urn: string }[] };
  return JSON.stringify({ steps: steps.filter(({ urn }) => urn.includes("pulumi:pulumi:Stack") || urn.endsWith(suffix)) });
}

/** The objects of one room that the platform shows. */
function knownIn({ organization, root }: Room, all: Known): Known {
  const isHere = (uid: string) => uid === organization || isAtOrBelow(uid, root);
  return {
    ...all,
    objects: all.objects.filter(({ uid }) => isHere(uid)),
    roles: new Map([...all.roles].filter(([uid]) => !uid.includes("/") || isHere(uid))),
  };
}

const platform = TestPlatform.forFile();

test(`a review lists all access that ${numRuns} random updates of the real engine give and take (seed ${seed}), ranked high enough`, async () => {
  const counts = { refusedBefore: 0, refused: 0, halfDone: 0, undecided: 0, judged: 0, changes: 0 };
  const missing: [room: string, missing: Missing][] = [];
  const chosen = samples();
  expect(chosen).toHaveLength(numRuns);
  for (let from = 0; from < numRuns; from += batchSize) {
    const types = (from / batchSize) % 2 === 0 ? "platform:" : "pulumi-nodejs:dynamic/platform/";
    const batch = await Batch.create(platform, chosen.slice(from, from + batchSize), types);
    counts.refusedBefore += await batch.start();
    const then = { rows: await rowsOf(platform), groups: await batch.groups("before") };
    const { text, refused } = await batch.preview();
    counts.refused += refused;
    const shown = await knownOnline(readPreviewFile(text, "the preview"), settingsOf(platform));
    counts.halfDone += await batch.update();
    const now = { rows: await rowsOf(platform), groups: await batch.groups("after") };
    for (const room of batch.rooms) {
      const { outcome, suffix, root } = room;
      const file = readPreviewFile(previewOf(text, suffix), "the preview");
      const review = reviewOf(file, knownIn(room, shown));
      if (review.undecided.length > 0) {
        expect(review.undecided).not.toContainEqual(expect.objectContaining({ reason: "" }));
        counts.undecided += 1;
        continue;
      }
      const [old, uids] = [then, now].map(({ groups }) => groups.get(suffix) ?? new Map<string, string>()) as [Groups, Groups];
      // One whose old group stays, as with `retainOnDelete`, is another group.
      const isLeft = (uid: string) => now.rows.groups.some((each) => each.uid === uid);
      const replaced = [...uids].flatMap(([name, uid]) =>
        isLeft(old.get(name) ?? uid) ? [] : [[uid, old.get(name) ?? uid] as const],
      );
      const moved = new Map(replaced);
      const labelOf = (uid: string) => moved.get(uid) ?? uid;
      const before = abilitiesIn(then.rows, root, (uid) => uid);
      const after = abilitiesIn(now.rows, root, labelOf);
      const changed = { gains: gained(before, after), losses: gained(after, before) };
      const nameOf = (uid: string) => labelOf(groupIn({ update: outcome.update, uids }, uid));
      const untold = missingIn(changed, { file, review, before, after, nameOf });
      if (untold.details !== undefined) missing.push([suffix, untold]);
      counts.judged += 1;
      counts.changes += changed.gains.length + changed.losses.length;
    }
    await batch.end();
  }
  await writeFigures("review-real-engine", { seed, updates: numRuns, ...counts });
  expect(missing).toEqual([]);
  expect(counts.judged + counts.undecided).toBeGreaterThanOrEqual(0.7 * numRuns);
  expect(counts.undecided).toBeLessThan(numRuns / 4);
  expect(counts.changes).toBeGreaterThan(numRuns);
});
