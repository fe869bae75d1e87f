import { PlatformError, type PlatformErrorCode, textOf } from "../../../provider/client/errors";
import { CreatedButFailed } from "../../../provider/resources/creating/created-but-failed";
import { partlyFailed, plainError } from "../../../provider/resources/group-access/messages";

const failuresOf = (...codes: PlatformErrorCode[]) =>
  codes.map((code) => ({
    member: { role: "viewer", label: code.toLowerCase(), identityUid: "a/b" },
    error: new PlatformError(code, `create role binding: ${code}: no`),
  }));

describe.each<[PlatformErrorCode, PlatformErrorCode[]]>([
  ["PERMISSION_DENIED", ["INTERNAL", "PERMISSION_DENIED", "UNAVAILABLE"]],
  ["OUTCOME_UNKNOWN", ["PERMISSION_DENIED", "INTERNAL", "OUTCOME_UNKNOWN"]],
  ["INTERNAL", ["INTERNAL", "UNAVAILABLE"]],
  ["SELF_LOCKOUT", ["CALLER_ABORTED", "SELF_LOCKOUT"]],
])("the error of a GroupAccess has the code of its worst member: %s", (code, codes) => {
  test("where some members were changed, with the state that has them", () => {
    const error = partlyFailed(["a", { access: {} }], "update access", failuresOf(...codes));
    expect(error).toBeInstanceOf(CreatedButFailed);
    expect(error).toMatchObject({ code, uid: "a", state: { access: {} } });
    expect(textOf(error).split("\n", 1)).toEqual([
      expect.stringMatching(new RegExp(`"${code.toLowerCase()}" as viewer.*\\[${code}\\]$`)),
    ]);
  });

  test("where none was", () => {
    expect(plainError("update access", failuresOf(...codes))).toMatchObject({ code });
  });
});

test("an object that is itself wrong keeps its code", () => {
  expect(new CreatedButFailed("a", {}, "made, but wrong")).toMatchObject({ code: "WRONG_OBJECT" });
});
