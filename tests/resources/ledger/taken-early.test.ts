import { group } from "../../../provider/kinds/group";
import { Ledger } from "../../../provider/resources/ledger/ledger";

const [uid, one, other] = ["a/b", "platform:iam:Group::one", "platform:iam:Group::other"];

/** A run in which `one` has taken the object over. */
function started(): Ledger {
  const ledger = new Ledger();
  ledger.declarations.check("key", { path: one, old: null });
  ledger.open({ key: "key", path: one });
  ledger.claim(group, uid, { key: "key", path: one });
  return ledger;
}

test("an object taken over before its holder was seen to give it up is an error that says so, and to make two updates", () => {
  const ledger = started();
  ledger.declarations.check("another", { path: other, old: "key" });
  expect(() => ledger.claim(group, uid, { key: "another", path: other })).toThrow(
    expect.objectContaining({
      code: "KEY_TAKEN",
      message: expect.stringMatching(/"one" has taken over, still belongs to "other" of this program.*in two updates/s) as string,
    }) as Error,
  );
});

test("two resources that both keep one object are told to leave one", () => {
  const ledger = started();
  ledger.declarations.check("another", { path: other, old: "another" });
  expect(() => ledger.claim(group, uid, { key: "another", path: other })).toThrow("Remove one of the two from the program");
});
