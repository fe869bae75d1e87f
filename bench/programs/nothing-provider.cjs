/** A provider that does no I/O and returns what the product would return. */
const { randomBytes } = require("node:crypto");

const providerOf = (computed) => ({
  check: async (_olds, news) => ({ inputs: news }),
  diff: async (_id, olds, news) => ({ changes: olds.name !== news.name }),
  create: async (inputs) => ({
    id: `${inputs.parentUid}/${randomBytes(8).toString("hex")}`,
    outs: { ...inputs, ...computed },
  }),
  read: async (id, props) => ({
    id,
    props,
    inputs: Object.fromEntries(Object.entries(props).filter(([name]) => !(name in computed))),
  }),
  update: async (_id, _olds, news) => ({ outs: { ...news, ...computed } }),
  delete: async () => {},
});

const createTime = "2026-01-05T09:00:00.000Z";
exports.group = providerOf({ createTime });
exports.identity = exports.group;
exports.roleBinding = providerOf({
  createTime,
  identity: { name: "robot-500" },
  group: { name: "team-500" },
  role: { name: "viewer" },
});
