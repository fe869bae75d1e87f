/**
 * Runs the Pulumi.yaml of its folder with the Node.js SDK: stands in for the language host of YAML, which machines without a full
 * installation of the engine lack. Knows what the example and exported programs use.
 */
const { readFileSync } = require("node:fs");
const pulumi = require("@pulumi/pulumi");
const { parse } = require("yaml");

const { config = {}, variables = {}, resources = {}, outputs = {} } = parse(readFileSync("Pulumi.yaml", "utf8"));
const known = new Map(Object.entries(config).map(([key]) => [key, new pulumi.Config().require(key)]));

/** The object named `name`, made when it is first used, whatever the order of the program. */
function named(name) {
  if (!known.has(name)) known.set(name, name in variables ? evaluated(variables[name]) : resource(name));
  return known.get(name);
}

function resource(key) {
  const { type, name = key, properties, options } = resources[key];
  return new pulumi.CustomResource(type, text(name), evaluated(properties), options);
}

function evaluated(value) {
  if (typeof value === "string") return text(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(evaluated);
  const call = value["fn::invoke"];
  if (call) return pulumi.output(evaluated(call.arguments)).apply((args) => invoked(call, args));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [text(name), evaluated(member)]));
}

/** The result of a function, or the one member of it that `return` names. */
async function invoked({ function: token, return: member }, args) {
  const result = await pulumi.runtime.invoke(token, args);
  return member === undefined ? result : result[member];
}

/** `${name.member}` is what it stands for, and `$$` is a dollar sign. */
function text(value) {
  const [, name, member] = /^\$\{([^.}]+)(?:\.([^}]+))?\}$/.exec(value) ?? [];
  if (name === undefined) return value.replaceAll("$$", "$");
  return member === undefined ? named(name) : pulumi.output(named(name))[member];
}

Object.keys(resources).forEach(named);
module.exports = evaluated(outputs);
