import { dependentsOf } from "../../rehearse/dependents";

const resource = (urn: string, more: object = {}) => ({ urn, type: "t", ...more });

test("everything that depends on an invented resource is found: by property, provider, deletedWith, and through others", () => {
  const resources = [
    resource("urn:made-up"),
    resource("urn:provider::p", { dependencies: ["urn:made-up"] }),
    resource("urn:by-property", { propertyDependencies: { name: ["urn:made-up"], other: null } }),
    resource("urn:by-provider", { provider: "urn:provider::p::id" }),
    resource("urn:deleted-with", { deletedWith: "urn:made-up" }),
    resource("urn:through", { dependencies: ["urn:by-property"] }),
    resource("urn:other", { dependencies: ["urn:none"] }),
  ];
  const found = dependentsOf(resources, new Set(["urn:made-up"]));
  expect([...found.keys()]).toEqual(["urn:provider::p", "urn:by-property", "urn:by-provider", "urn:deleted-with", "urn:through"]);
  expect(new Set(found.values())).toEqual(new Set(["urn:made-up"]));
});
