const swc = require("@swc/jest");

/**
 * The transform of tests that run over version v2 of the API too: every `v2beta1` in them becomes `v2`, in what they configure, send
 * and expect. So one suite covers both versions, and no test has to say so.
 */
module.exports = {
  createTransformer(options) {
    const { process: compile, ...transformer } = swc.createTransformer(options);
    return { ...transformer, process: (text, file, how) => compile(text.replaceAll("v2beta1", "v2"), file, how) };
  },
};
