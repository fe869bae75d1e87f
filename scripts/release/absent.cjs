// Stands in the bundled plugin for packages with which Pulumi's SDK serialises functions, of which the plugin has none.
module.exports = {};
