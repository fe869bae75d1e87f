/**
 * Run as a process by walk.mjs. Plays one operation of the engine on some objects of one kind, one after the other, like the engine's
 * dynamic provider host, and prints the calls of the last object.
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import { checkout } from "../../scripts/lib/paths.mjs";
import { recorded } from "./instrument.mjs";

const { kind, operation, objects, change, tellsUpdates } = JSON.parse(process.argv[2]);
const provider = createRequire(import.meta.url)(join(checkout, "dist", "provider", "index.js"))[kind];
const records = {};

/** The values passed by the engine, which are the properties, and the text by which it found the provider. */
const given = (properties) => ({
  ...properties,
  __provider: `exports.handler = () => require("pulumi-platform/provider").${kind}`,
});

async function step(verb, work) {
  const { value, ...record } = await recorded(work);
  records[verb] = record;
  return value;
}

/** The checked inputs of a program in an update, which the classes of some kinds announce to the provider. */
async function checked(olds, inputs) {
  const result = await provider.check(olds, given({ ...inputs, ...(tellsUpdates && { __isUpdate: true }) }));
  if (result.failures.length > 0) throw new Error(result.failures.map(({ reason }) => reason).join("; "));
  return given(result.inputs);
}

const operations = {
  async up({ inputs: declared }) {
    const inputs = await step("check", () => checked({}, declared));
    const { id, outs } = await step("create", () => provider.create(inputs));
    return { id, inputs, outs: given(outs) };
  },
  async refresh({ id, inputs, outs }) {
    const { props } = await step("read", () => provider.read(id, outs));
    return { id, inputs, outs: given(props) };
  },
  async change({ id, inputs: olds, outs }) {
    const inputs = await checked(olds, { ...olds, ...change });
    const { changes } = await step("diff", () => provider.diff(id, outs, inputs));
    if (!changes) throw new Error(`The ${kind} does not change.`);
    const updated = await step("update", () => provider.update(id, outs, inputs));
    return { id, inputs, outs: given(updated.outs) };
  },
  async destroy({ id, outs }) {
    await step("delete", () => provider.delete(id, outs));
  },
};

await provider.configure({ config: { get: () => undefined } });
const left = [];
for (const object of objects) left.push(await operations[operation](object));
// Not before everything is written, because the connections to the platform would keep this process alive for seconds.
process.stdout.write(JSON.stringify({ records, objects: left }), () => process.exit());
