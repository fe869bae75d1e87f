/** The version of the API that the tests use; Jest's project `v2` runs some of them again in the other one. */
export const testedVersion = (): "v2beta1" | "v2" => (process.env["TEST_API_VERSION"] === "v2" ? "v2" : "v2beta1");
