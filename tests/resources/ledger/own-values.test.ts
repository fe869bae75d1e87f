import { UpdateNote } from "../../../provider/resources/ledger/own-values";
import { declaredInputs, type Observed } from "../../../provider/schema/kind";
import { group } from "../../support/resource-fixture";

test("what a full disk kept from being noted before the request is noted with the answer, in both forms", () => {
  const [olds, news] = ["a", "b"].map((description) => declaredInputs(group, { parentUid: "r", name: "g", description }));
  if (olds === undefined || news === undefined) throw new Error("no inputs");
  const written: (readonly string[])[] = [];
  let isFull = true;
  const notes = {
    valuesOf: () => [],
    forget: () => undefined,
    answered: () => undefined,
    updating: (_key: string, values: readonly string[]) => {
      if (!isFull) written.push(values);
      return !isFull;
    },
  };
  const note = new UpdateNote({ kind: group, uid: "r/g", olds, news, before: olds, wanted: news, sent: ["description"] }, notes);
  note.sending();
  isFull = false;
  note.answered({ inputs: news } as unknown as Observed);
  note.answered({ inputs: news } as unknown as Observed);
  expect(written).toEqual([[expect.any(String)]]);
});
