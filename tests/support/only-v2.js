// Plain JavaScript: the transform of the TypeScript files would replace the version that is looked for.
const { subscribe, unsubscribe } = require("node:diagnostics_channel");

/** Requests of a test file in v2beta1. There must be none, or what the file shows would be shown of the wrong version. */
const strays = [];

function watch({ request: { method, path } }) {
  if (path.includes("/v2beta1/")) strays.push(`${method} ${path}`);
}

// Both undici, which the client uses, and the `fetch` of Node.js publish here.
const channel = "undici:request:create";
beforeAll(() => {
  subscribe(channel, watch);
});
afterAll(() => {
  unsubscribe(channel, watch);
  expect(strays).toEqual([]);
});
