import { describeLogin } from "../../access/prose/describe-login";
import { deepestJson } from "../../provider/client/json-depth";
import { jsonWebKeySet, longestKeys, sameJson } from "../../provider/schema/json-web-keys";

const key = '"kty":"RSA","n":"AQAB","e":"AQAB"';
/** A key set of so many levels. The set, its list and the key are three. */
const nested = (levels: number) => `{"keys":[{${key},"more":${"[".repeat(levels - 3)}${"]".repeat(levels - 3)}}]}`;
/** A key set of so many characters. */
const long = (length: number) => {
  const [start, end] = [`{"keys":[{${key},"kid":"`, '"}]}'];
  return start + "a".repeat(length - start.length - end.length) + end;
};

const problem = (text: string) => jsonWebKeySet.safeParse(text).error?.issues[0]?.message ?? "";
const words = (issuerKeys: string) => describeLogin({ staticKeys: { issuer: "https://k8s.example", subject: "a", issuerKeys } });

test.each([
  ["levels", nested(deepestJson), nested(deepestJson + 1), "nested more than 32 levels"],
  ["characters", long(longestKeys), long(longestKeys + 1), "longer than 100,000 characters"],
])(
  "keys are analysed up to a number of %s; one more, and they are compared as text, rejected, and said not to be",
  (_, last, first, why) => {
    const reordered = (text: string) => text.replace(key, key.split(",").reverse().join(","));
    expect([last, first].map((text) => sameJson(reordered(text)) === sameJson(text))).toEqual([true, false]);
    expect([last, first].map(problem)).toEqual(["", expect.stringContaining(why)]);
    expect([last, first].map((text) => words(text).includes("not analysed"))).toEqual([false, true]);
    expect(words(first)).toContain(why);
  },
);

test.each([
  ["lists", "[", "]"],
  ["objects", '{"a":', "}"],
])("keys of 20,000 nested %s overflow nothing, and are never quoted", (_, open, close) => {
  const text = `{"keys":${open.repeat(20_000)}1${close.repeat(20_000)}}`;
  expect(sameJson(text)).toBe(text);
  expect(words(text)).toMatch(/by keys of its own \(not analysed, because they are /);
  expect(problem(text)).not.toContain(open.repeat(5));
});
