import type { Ended } from "../support/cli";
import type { World } from "./world";

type Values<Value> = Readonly<Record<string, Value>>;

/** The situation in which a block of commands is played, and its result. */
export interface Play {
  /** Brings the world into the state that the page describes. */
  readonly before?: (world: World) => unknown;
  /** Variables that differ from those of every command. */
  readonly environment?: (world: World) => Values<string | undefined> | Promise<Values<string | undefined>>;
  /** Values for placeholders. */
  readonly replace?: (world: World) => Values<string> | Promise<Values<string>>;
  /** Commands after a block that only sets something. */
  readonly then?: string;
  /** For a list of commands, which are then played one by one: the exit code of each. Default: the block is one script, and ends with 0. */
  readonly codes?: readonly number[];
  /** Serves until it is interrupted, once it has printed this. Its exit code is then that of the signal. */
  readonly ready?: RegExp;
  /** Asks whether the page is right. */
  readonly check?: (world: World, ended: Ended) => unknown;
}

/** Requires that nothing was written to the platform. */
export async function nothingWritten({ platform }: World): Promise<void> {
  expect(await platform.writes()).toEqual([]);
}

/** Changes by hand what the stack `prod`, or another, declares. */
export async function driftOf(world: World, group = "shop"): Promise<void> {
  const { uid } = await world.platform.named("groups", group);
  await world.platform.change("groups", uid, { description: "By hand" });
}

/** Requires that nobody's change by hand is left. */
export async function repaired({ platform }: World, group = "shop"): Promise<void> {
  expect(await platform.named("groups", group)).toMatchObject({ description: "What customers see" });
}

/** The identity `ci` of a group, which the group's stack declares. */
export async function ciOf({ platform }: World, group = "shop"): Promise<string> {
  const { uid: parent } = await platform.named("groups", group);
  const found = (await platform.objects("identities")).find(({ uid, name }) => name === "ci" && uid.startsWith(`${parent}/`));
  if (found === undefined) throw new Error(`${group} has no identity ci`);
  return found.uid;
}
