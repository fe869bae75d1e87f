import { forOthersToo, interruptedBy, interruptionOf } from "../../provider/client/interruption";

test("work that shared work shares ends with the same interruption", async () => {
  const [own, cancel] = [new AbortController().signal, new AbortController().signal];
  const shared = { waits: cancel, sent: cancel };
  const inside = () => forOthersToo(() => forOthersToo(() => interruptionOf("waits")));
  const found = await interruptedBy({ waits: own, sent: own, shared }, () => Promise.resolve(inside()));
  expect(found).toBe(cancel);
});
