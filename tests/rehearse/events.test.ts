import { errorsIn } from "../../rehearse/events";

const log = (...events: object[]) => events.map((each) => JSON.stringify(each)).join("\n");
const error = (message: string, urn?: string) => ({ diagnosticEvent: { severity: "error", message, ...(urn && { urn }) } });

test("the errors of an update are its diagnostics, each once, without the summary", () => {
  const warning = { diagnosticEvent: { severity: "warning", message: "beware" } };
  const own = error("<{%reset%}>create group ops: ALREADY_EXISTS<{%reset%}>\n", "urn:a");
  expect(errorsIn(log(warning, own, own, error("update failed")))).toEqual([
    { message: "create group ops: ALREADY_EXISTS", urn: "urn:a" },
  ]);
  expect(errorsIn(log(error("update failed")))).toEqual([{ message: "update failed" }]);
});

test("a mandatory policy is an error, an advisory one is none, and half a line is skipped", () => {
  const policy = (enforcementLevel: string) => ({ policyEvent: { message: `not ${enforcementLevel}`, enforcementLevel } });
  expect(errorsIn(`${log(policy("mandatory"), policy("advisory"))}\n{"diagnosticEv`)).toEqual([{ message: "not mandatory" }]);
});
