// A setup file: its tests speak version v2 of the API.
process.env["TEST_API_VERSION"] = "v2";
