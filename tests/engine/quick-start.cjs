/**
 * Loaded first by each Node.js process of an engine command: lets it start with a quarter less of work. `@pulumi/pulumi` behaves the same.
 */
const Module = require("node:module");
const { env } = require("node:process");

// The flag that `@pulumi/pulumi` sets when it is loaded. V8 takes compiled modules from its cache only if the flags are those they were
// compiled with, and the program and the provider host would load most of theirs on different sides of that moment.
require("node:v8").setFlagsFromString("--allow-natives-syntax");

// The programs of the tests are JavaScript, for which no compiler needs to be registered.
if ("PULUMI_NODEJS_TYPESCRIPT" in env) env.PULUMI_NODEJS_TYPESCRIPT = "false";

// Only for turning functions into text, which this package never asks for: loaded when one is used.
const late = new Set(["typescript", "@npmcli/arborist"]);
const load = Module._load;
Module._load = function (request, ...rest) {
  if (!late.has(request)) return load.call(this, request, ...rest);
  let loaded;
  const get = (_target, name) => (name === "__esModule" ? true : (loaded ??= load.call(this, request, ...rest))[name]);
  return new Proxy({}, { get });
};
