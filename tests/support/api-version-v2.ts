// A setup file of Jest's project `v2`.
process.env["TEST_API_VERSION"] = "v2";
