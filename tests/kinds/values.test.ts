import { valueAt } from "../../provider/schema/values";

test.each(["constructor", "toString", "__proto__"])("a member named %s that a platform adds was not there before", (name) => {
  expect(valueAt({ claimMatch: {} }, ["claimMatch", name])).toBeUndefined();
  expect(valueAt({ claimMatch: JSON.parse(`{"${name}":1}`) as unknown }, ["claimMatch", name])).toBe(1);
});
