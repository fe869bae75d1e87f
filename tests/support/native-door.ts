// A setup file of Jest's project `native`: its tests reach the provider through the plugin.
process.env["TEST_DOOR"] = "native";
