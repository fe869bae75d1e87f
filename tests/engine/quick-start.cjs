/**
 * Loaded first by each Node.js process of an engine command: lets it start with a third less of work. It is no part of what
 * users run: it turns TypeScript off, and loads some of the modules of `@pulumi/pulumi` late. For each door, a test runs without it.
 */
const Module = require("node:module");
const { env } = require("node:process");

// The flag that `@pulumi/pulumi` sets when it is loaded. V8 takes compiled modules from its cache only if the flags are those they were
// compiled with, and the program and the provider host would load most of theirs on different sides of that moment.
require("node:v8").setFlagsFromString("--allow-natives-syntax");

// The programs of the tests are JavaScript, for which no compiler needs to be registered.
if ("PULUMI_NODEJS_TYPESCRIPT" in env) env.PULUMI_NODEJS_TYPESCRIPT = "false";

// A thousand files that are loaded for nothing, and so when one of their members is used: what turns functions into text, which this
// package never asks for, and zod's messages in other languages.
const unused = new Set(["typescript", "@npmcli/arborist", "../locales/index.cjs"]);
// Those of the tracer, whose members are taken at once and called only in a run that is traced.
const isTracer = (request, by) => /^@opentelemetry\/(?!api$)/.test(request) && by?.filename.endsWith("/cmd/run/tracing.js");

const load = Module._load;
Module._load = function (request, parent, ...rest) {
  const now = () => load.call(this, request, parent, ...rest);
  if (unused.has(request)) return new Proxy({}, { get: (_, name) => name === "__esModule" || now()[name] });
  if (isTracer(request, parent)) return new Proxy({}, { get: (_, name) => callLater(name, now) });
  return now();
};

/** A function, or a class, of the module that `load` loads. */
function callLater(name, load) {
  return new Proxy(function () {}, {
    apply: (_target, _this, args) => load()[name](...args),
    construct: (_target, args) => new (load()[name])(...args),
  });
}
