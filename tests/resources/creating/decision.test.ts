import { decide, type Rights, type Sent, type Step } from "../../../provider/resources/creating/decision";

const [none, one, own] = [
  { holders: 0, isOwn: false },
  { holders: 1, isOwn: false },
  { holders: 1, isOwn: true },
];
const keyed: Rights = { hasKey: true, mayAdopt: false, hasOnce: false };
const adopting: Rights = { ...keyed, mayAdopt: true };
const keyless: Rights = { ...keyed, hasKey: false };
const sent: Sent[] = ["nothing sent", "batch rejected", "already exists", "in doubt"];

/** The step after each of `sent`, in order. */
const steps = (seen: typeof none, rights: Rights): Step[] => sent.map((each) => decide(seen, each, rights));

test.each<[string, typeof none, Rights, Step[]]>([
  ["nothing has the key", none, keyed, ["send", "send alone", "fail: rejected", "send again if nothing was made"]],
  ["nothing has the key to adopt", none, adopting, ["send", "send alone", "fail: rejected", "send again if nothing was made"]],
  ["an object has the key", one, keyed, ["fail: key taken", "fail: key taken", "fail: key taken", "fail: may be another's"]],
  ["an object to adopt has the key", one, adopting, ["adopt", "adopt", "adopt", "adopt"]],
  ["this create made the object", own, keyed, ["take back", "take back", "take back", "take back"]],
  ["this create made the object, which it may adopt, too", own, adopting, ["take back", "take back", "take back", "take back"]],
  [
    "an equal object of a kind without a key is there",
    one,
    keyless,
    [...Array<Step>(3).fill("fail: key taken"), "fail: may be another's"],
  ],
])("where %s, a create goes on as what it has sent demands", (_case, seen, rights, expected) => {
  expect(steps(seen, rights)).toEqual(expected);
});

test("an object whose answer was lost is never taken back if that answer alone had one of its values", () => {
  for (const hasKey of [true, false]) {
    expect(new Set(steps(own, { hasKey, mayAdopt: hasKey, hasOnce: true }))).toEqual(new Set(["fail: value lost"]));
  }
  expect(new Set(steps(one, { ...keyless, hasOnce: true }))).toEqual(new Set(["fail: value lost"]));
});
