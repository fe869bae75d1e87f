import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import type { Clock } from "../../provider/client/clock";

/**
 * How to use it. Give it to the client (`new PlatformClient({ clock })`, `fixture.run()`) and await what is tested: nothing waits for
 * real. The clock stands still while anything is on its way, so a slow machine misses no deadline. It jumps to the next sleep or deadline
 * once nothing but time can go on: no request of this process is open, except on connections whose server called
 * {@link staysSilent}, as the doubles of tests/support do for the outcomes "silence" and "stall"; and no work that was given to
 * {@link atWork} is left. Requests of the test itself count, too: await an event of a double instead of asking the platform again and
 * again. A server that holds a request back until something else happens says nothing, and time stands still; to play a run that is
 * killed while it waits for an answer, give it a clock of its own, {@link FakeClock.stop} that, and let the server stay silent. A wait that is neither a
 * sleep nor a request (a token that never comes) ends by {@link FakeClock.pass}. A wait of a test beside the client is a
 * `clock.sleep` as well. With a platform, `follow` moves its clock along before anyone wakes.
 */
export class FakeClock implements Clock {
  /** Every delay asked for, in order. */
  readonly slept: number[] = [];
  readonly #sleeps = new Set<Waiting>();
  readonly #deadlines = new Set<Waiting>();
  #time = 0;
  #following: Promise<void> | undefined;
  #isLooking = false;

  /** @param follow moves another clock by as many milliseconds */
  constructor(private readonly follow?: (ms: number) => Promise<void>) {
    clocks.add(this);
  }

  now(): number {
    return this.#time;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      this.slept.push(ms);
      const abort = () => {
        this.#sleeps.delete(waiting);
        reject(signal?.reason as Error);
      };
      const end = () => {
        signal?.removeEventListener("abort", abort);
        resolve();
      };
      const waiting = { at: this.#time + ms, end };
      signal?.addEventListener("abort", abort, { once: true });
      this.#sleeps.add(waiting);
      changed();
    });
  }

  deadline(ms: number): AbortSignal {
    const controller = new AbortController();
    const end = () => controller.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
    this.#deadlines.add({ at: this.#time + ms, end });
    changed();
    return controller.signal;
  }

  /** Lets `ms` milliseconds pass, as work would. */
  async pass(ms: number): Promise<void> {
    this.#time += ms;
    this.#following = this.follow?.(ms);
    await this.#following;
    for (const waits of [this.#deadlines, this.#sleeps]) {
      for (const waiting of waits) {
        if (waiting.at > this.#time) continue;
        waits.delete(waiting);
        waiting.end();
      }
    }
    changed();
  }

  /** Stands still from now on, as in a process that was killed: whoever waits for it waits for ever. Resolves once nothing follows it. */
  async stop(): Promise<void> {
    clocks.delete(this);
    await this.#following;
  }

  /** Moves on for as long as nothing but time can. */
  async look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const before = changes;
      for (let turn = 0; turn < stillTurns; turn++) await new Promise(setImmediate);
      if (changes === before) await this.pass(next - this.#time);
    }
    this.#isLooking = false;
  }

  /** When the next wait ends; undefined while anything is on its way, or if nobody waits. */
  #next(): number | undefined {
    if (!clocks.has(this) || works > 0 || ![...open.values()].every((connection) => silent.has(connection))) return undefined;
    // Deadlines of what has ended stay, and count for nothing.
    if (this.#sleeps.size === 0 && open.size === 0) return undefined;
    const times = [...this.#sleeps, ...this.#deadlines].map(({ at }) => at);
    return times.length === 0 ? undefined : Math.min(...times);
  }
}

/** A wait for a time. */
interface Waiting {
  at: number;
  end: () => void;
}

/** Turns of the event loop without an event after which nothing goes on by itself. */
const stillTurns = 8;

const clocks = new Set<FakeClock>();
/** Connections of the requests that this process has sent and that are not answered; "" before there is one. */
const open = new Map<unknown, string>();
/** Connections on which a server stays silent. */
const silent = new Set<string>();
let works = 0;
let changes = 0;

function changed(): void {
  changes++;
  for (const clock of clocks) void clock.look();
}

/** For servers: no more is sent on `socket`, though a client may wait for it. */
export function staysSilent(socket: Socket): void {
  const connection = `${socket.remotePort} to ${socket.localPort}`;
  silent.add(connection);
  socket.once("close", () => silent.delete(connection));
  changed();
}

/** Clocks stand still until `work` is done. */
export async function atWork<Result>(work: Promise<Result>): Promise<Result> {
  works++;
  try {
    return await work;
  } finally {
    works--;
    changed();
  }
}

const ended = (message: unknown) => {
  open.delete((message as { request: unknown }).request);
  changed();
};

/** The diagnostics of undici, and of `fetch`, about their requests. */
const channels: [string, (message: unknown) => void][] = [
  ["undici:request:create", (message) => open.set((message as { request: unknown }).request, "")],
  [
    "undici:client:sendHeaders",
    (message) => {
      const { request, socket } = message as { request: unknown; socket: Socket };
      open.set(request, `${socket.localPort} to ${socket.remotePort}`);
    },
  ],
  ["undici:request:trailers", ended],
  ["undici:request:error", ended],
];

for (const [name, listener] of channels) subscribe(name, listener);
afterAll(() => {
  for (const [name, listener] of channels) unsubscribe(name, listener);
});
