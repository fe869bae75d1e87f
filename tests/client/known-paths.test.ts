import { groupText, rememberGroups } from "../../provider/client/known-paths";

const remember = (group: { uid: string; name?: unknown }) => rememberGroups({ segment: "groups" }, [group]);

test("a group is called by its path once every name in it is known, and by its uid before", () => {
  remember({ uid: "r/e", name: "engineering" });
  expect(groupText("r/e")).toBe("r/e");
  remember({ uid: "r", name: "acme" });
  expect(["r", "r/e", "r/e/x"].map(groupText)).toEqual(["acme", "acme/engineering", "r/e/x"]);
});

test.each(["a/b", "a\nerror: b", "", undefined])("a name that could pass for other words, %j, is not used", (name) => {
  remember({ uid: "s", name });
  expect(groupText("s")).toBe("s");
});

test("a path that a program has written, or nothing, stays as it is", () => {
  expect(["acme/shop", "undefined", ""].map(groupText)).toEqual(["acme/shop", "undefined", ""]);
});
