import { builtInRoles } from "../../access/built-in-roles";
import { builtInRoles as emulated } from "../../emulator/auth/built-in-roles";
import { builtInRole } from "../../provider/kinds/role";

test("the product and the emulator read the same built-in roles from the published table", () => {
  expect([...builtInRoles]).toEqual(emulated().map(({ name, capabilities }) => [name, capabilities]));
});

test("every built-in role is known by its name", () => {
  expect([...builtInRoles.keys()].filter((name) => !builtInRole.test(name))).toEqual([]);
});
