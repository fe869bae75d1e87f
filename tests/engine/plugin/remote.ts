/** Functions that declare a component, by the class of the package or by the plugin, as the SDKs of other languages do. */
export const head = `
const outputs = { Organization: { groups: undefined, identities: undefined }, Team: { group: undefined, pipeline: undefined } };
class Remote extends pulumi.ComponentResource {
  constructor(type, name, args, opts) { super("platform:iam:" + type, name, { ...outputs[type], ...args }, opts, true); }
}
const native = (type, ...args) => new platform[type](...args);
const remote = (type, ...args) => new Remote(type, ...args);
const login = { issuer: "https://issuer.example", subject: "ci" };
`;
