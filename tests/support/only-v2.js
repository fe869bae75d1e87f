// Plain JavaScript: the transform of the TypeScript files would replace the version that is looked for.
const { subscribe, unsubscribe } = require("node:diagnostics_channel");

/** Requests of a test file in v2beta1. There must be none, or what the file shows would be shown of the wrong version. */
const strays = [];

function watch({ request: { method, url } }) {
  if (url.includes("/v2beta1/")) strays.push(`${method} ${url}`);
}

// Where servers receive: a request that an earlier file of this process left behind meets a server that is closed.
const channel = "http.server.request.start";
beforeAll(() => {
  subscribe(channel, watch);
});
afterAll(() => {
  unsubscribe(channel, watch);
  expect(strays).toEqual([]);
});
