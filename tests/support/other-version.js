const swc = require("@swc/jest");

const inV2 = (text) => text.replaceAll("v2beta1", "v2");

/**
 * The transform of tests that run over version v2 of the API too: every `v2beta1` in them becomes `v2`, in what they configure, send
 * and expect. So one suite covers both versions, and no test has to say so.
 */
module.exports = {
  createTransformer(options) {
    const { process, getCacheKey } = swc.createTransformer(options);
    return {
      process: (text, ...how) => process(inV2(text), ...how),
      getCacheKey: (text, ...how) => getCacheKey(inV2(text), ...how),
    };
  },
};
