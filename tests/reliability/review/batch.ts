import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import fc from "fast-check";
import type { LedgerDocument } from "../../../cli/documents/ledger";
import type { RehearseDocument } from "../../../cli/documents/rehearse";
import { errorTexts } from "../../../cli/rehearse/undecided";
import { errorsIn } from "../../../rehearse/events";
import { Project } from "../../engine/project";
import { pulumiIn, runBuilt } from "../../support/cli";
import type { TestPlatform } from "../../support/test-platform";
import { acceptedOutcome } from "./accepted";
import type { Outcome } from "./engine";
import { builtInRoles, Platform, type Thing } from "./platform";
import { type Look, looks, urnIn } from "./preview";
import { fieldsOf, inRoom, isRejected, programOf, type Room } from "./program";
import { orders, type Slot, updates } from "./random-update";

/** A random update that the platform is expected to accept. */
export interface Sample {
  readonly outcome: Outcome;
  readonly look: Look;
  readonly suffix: string;
}

/** The first `count` accepted ones of the random updates of `seed`. */
export function samples(seed: number, count: number): Sample[] {
  const all = fc.sample(fc.tuple(updates, orders, looks), { seed, numRuns: 3 * count });
  const accepted = all.flatMap(([update, order, look], index): Sample[] => {
    const suffix = `r${index}`;
    const outcome = acceptedOutcome(inRoom(update, suffix), order);
    return outcome === undefined || isRejected(outcome) ? [] : [{ outcome, look, suffix }];
  });
  return accepted.slice(0, count);
}

/** The uids of the groups of a program, by slot. */
export type Groups = ReadonlyMap<string, string>;

/** Some updates in one stack, each with a root group of its own. */
export class Batch {
  /** The rooms in which nothing has failed. */
  rooms: Room[] = [];
  /** The rooms whose update is left out: their resources stay as they are. */
  left: Room[] = [];

  private constructor(
    private readonly platform: TestPlatform,
    private readonly project: Project,
  ) {}

  static async create(platform: TestPlatform, chosen: readonly Sample[], types: Look["types"]): Promise<Batch> {
    const environment = {
      ...platform.environment,
      PLATFORM_ADOPT: "true",
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

  /** Rehearses the updates on a copy. @returns the document of `rehearse --json` */
  async rehearse(...options: readonly string[]): Promise<RehearseDocument> {
    await this.#write();
    const args = ["rehearse", "--stack", "test", "--json", "--skip-preview", "--continue-on-error", ...options, ...this.#flags()];
    const { stdout, stderr } = await runBuilt(args, this.project.variables, { folder: this.project.folder });
    if (stdout === "") throw new Error(stderr);
    return JSON.parse(stdout) as RehearseDocument;
  }

  /** Does the updates in one command, whatever fails. @returns its errors, as people read them */
  async updateOnce(): Promise<string[]> {
    await this.platform.letTimePass();
    await this.#write();
    const { code, output } = await this.project.up("--continue-on-error", ...this.#flags());
    return errorTexts({ code, output, errors: errorsIn(await this.#log()) });
  }

  /** The file for the calls of the rehearsal. */
  get ledger(): string {
    return path.join(this.project.folder, "ledger.json");
  }

  /** How many calls were rehearsed. */
  async rehearsedCalls(): Promise<number> {
    return (JSON.parse(await readFile(this.ledger, "utf8")) as LedgerDocument).calls.length;
  }

  /** Does the updates in one command that is bound to the file of the rehearsal. @returns its errors, as people read them */
  async updateBound(): Promise<string[]> {
    await this.platform.letTimePass();
    await this.#write();
    const { folder, variables } = this.project;
    await rm(this.#eventLog, { force: true });
    // The command has no option for the file of events.
    const logging = `case "$1" in up) set -- "$@" --event-log "${this.#eventLog}";; esac; PATH="$REAL_PATH" exec pulumi "$@"`;
    const real = variables["PATH"] ?? "";
    const environment = { ...variables, REAL_PATH: real, PATH: pulumiIn(folder, logging) };
    const { code, stdout, stderr } = await runBuilt(["up", "--rehearsed", this.ledger, "--stack", "test", "--yes"], environment, {
      folder,
    });
    if (code === 0) return [];
    const errors = errorsIn(await this.#log().catch(() => ""));
    return errorTexts({ code, output: stdout + stderr, errors });
  }

  /** Leaves the updates out in whose rooms something fails. @returns the suffixes of the rooms */
  leave(errors: readonly string[]): string[] {
    const named = new Set(errors.flatMap((error) => /^\w*?(r\d+):/.exec(error)?.[1] ?? []));
    const failing = this.rooms.filter(({ suffix }) => named.has(suffix));
    this.left.push(...failing);
    this.rooms = this.rooms.filter(({ suffix }) => !named.has(suffix));
    return failing.map(({ suffix }) => suffix);
  }

  /** Does all updates after all, also those that were left out. */
  keep(): void {
    this.rooms.push(...this.left.splice(0));
  }

  #write(): Promise<void> {
    return this.project.program(`${programOf(this.rooms, "after")}\n{\n${programOf(this.left, "before")}\n}`);
  }

  /** The state, with secrets. */
  state(): Promise<string> {
    return this.project.stateText();
  }

  get #eventLog(): string {
    return path.join(this.project.folder, "events.json");
  }

  #log(): Promise<string> {
    return readFile(this.#eventLog, "utf8");
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
    const events = (await this.#log()).split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as EngineEvent]));
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
