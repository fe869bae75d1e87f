import { subscribe, unsubscribe } from "node:diagnostics_channel";

/** Requests of a test file in v2beta1: there must be none, or what the file shows would be shown of the wrong version. */
const strays: string[] = [];

function watch(message: unknown): void {
  const { method, path } = (message as { request: { method: string; path: string } }).request;
  if (path.includes("/v2beta1/")) strays.push(`${method} ${path}`);
}

// Both undici, which the client uses, and the `fetch` of Node.js tell this channel.
const channel = "undici:request:create";
beforeAll(() => {
  subscribe(channel, watch);
});
afterAll(() => {
  unsubscribe(channel, watch);
  expect(strays).toEqual([]);
});
