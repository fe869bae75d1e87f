import fc from "fast-check";
import { type JavaScriptValue, Struct } from "google-protobuf/google/protobuf/struct_pb";
import { PlatformError } from "../../provider/client/errors";
import { failureFor } from "../../provider/host/failure";
import { toStruct } from "../../provider/host/struct";
import { CreatedButFailed } from "../../provider/resources/creating/created-but-failed";

const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withSet: true,
  withNullPrototype: true,
  withSparseArray: true,
  withTypedArray: true,
});

test("whatever the platform may have answered fits into the engine's protocol, and is the same after it", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), anything), (outputs) => {
      const kept = toStruct(outputs) as Record<string, JavaScriptValue>;
      expect(toStruct(Struct.fromJavaScript(kept).toJavaScript())).toEqual(kept);
    }),
    { seed: 20_261_121, numRuns: 500 },
  );
});

test.each([
  ["undefined members are left out, nested ones too", { a: undefined, b: { c: undefined, d: 1 } }, { b: { d: 1 } }],
  ["an undefined item keeps its place", [1, undefined, 2], [1, null, 2]],
  ["a bigint is text", 12_345_678_901_234_567_890n, "12345678901234567890"],
  ["a date is its RFC 3339 form", new Date(0), "1970-01-01T00:00:00.000Z"],
  ["an invalid date is text", new Date(NaN), "Invalid Date"],
  ["numbers that JSON lacks are text", [NaN, Infinity, -Infinity], ["NaN", "Infinity", "-Infinity"]],
  ["half a surrogate pair, which is no UTF-8, is replaced", { "a\ud800": ["\udfff\ud800b"] }, { "a\ufffd": ["\ufffd\ufffdb"] }],
  ["null, flags, numbers and text stay", [null, true, 0, ""], [null, true, 0, ""]],
])("%s", (_rule, value, expected) => {
  expect(toStruct(value)).toEqual(expected);
});

test.each([
  ["an error of the platform", new PlatformError("NOT_FOUND", "gone")],
  ["any error", new TypeError("broken")],
  ["any error with an id of its own", Object.assign(new Error("broken"), { id: "x", reasons: ["y"], properties: {} })],
  ["something that is not an error", "broken"],
])("%s leaves the host with its text only", (_what, error) => {
  const failure = failureFor(error);
  expect(failure.message).toMatch(/^(gone \[NOT_FOUND\]|broken \[UNKNOWN\])$/);
  expect(failure.stack).toBe("");
  for (const member of ["id", "properties", "reasons", "cause"]) expect(failure).not.toHaveProperty(member);
});

test("the error of a created object carries its uid and state, and the text as the reason", () => {
  const failure = failureFor(new CreatedButFailed("a/b", { name: "x", description: undefined }, "made, but wrong"), "text");
  expect(failure).toMatchObject({
    message: "made, but wrong [WRONG_OBJECT]",
    id: "a/b",
    properties: { name: "x", __provider: "text" },
    reasons: ["made, but wrong [WRONG_OBJECT]"],
    stack: "",
  });
});
