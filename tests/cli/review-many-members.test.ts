import { knownOffline } from "../../cli/review/known";
import { reviewOf } from "../../cli/review/review";
import type { PreviewFile, PreviewState, PreviewStep } from "../../inventory/preview-file";
import { kindNames } from "../../inventory/kinds";
import { unknownValue } from "../../provider/kinds/inputs";
import { root, step } from "../support/preview-steps";

/** A preview of new identities, all of which become members of a new `GroupAccess`. @param onRead called whenever their inputs are read */
function previewOf(members: number, roles: readonly string[], onRead: () => void = () => undefined): PreviewFile {
  const identities = Array.from({ length: members }, (_, index): PreviewStep => {
    const name = `person-${index}`;
    const { newState, ...made } = step("Identity", name, undefined, {
      parentUid: root,
      name,
      claimMatch: { issuer: "https://login.acme.example", subject: name },
    });
    const counted: PreviewState = {
      ...newState,
      get inputs() {
        onRead();
        return { ...newState.inputs };
      },
    };
    return { ...made, oldState: undefined, newState: counted };
  });
  const access = Object.fromEntries(
    roles.map((role, at) => [
      role,
      Object.fromEntries(
        identities.flatMap((_, index) => (index % roles.length === at ? [[`member ${index}`, unknownValue]] : [])),
      ),
    ]),
  );
  const made = step("GroupAccess", "root", undefined, { parentUid: root, access });
  const propertyDependencies = { access: identities.map(({ urn }) => urn) };
  const newState: PreviewState = { ...made.newState, inputs: { parentUid: root, access }, propertyDependencies };
  const steps: PreviewStep[] = [...identities, { ...made, oldState: undefined, newState }];
  return { steps, errors: [], isOurs: true, isWhole: true };
}

/** How often a review reads the inputs of the new identities. */
function readsFor(members: number, roles: readonly string[]): number {
  let reads = 0;
  const file = previewOf(members, roles, () => {
    reads += 1;
  });
  expect(reviewOf(file, knownOffline()).changes).toHaveLength(members);
  return reads;
}

test.each([
  ["one role", ["viewer"]],
  ["several roles", ["viewer", "editor", "owner"]],
])("twice as many new members of %s of a GroupAccess are twice the work, not more", (_what, roles) => {
  const few = readsFor(12, roles);
  expect(few).toBeGreaterThan(0);
  expect(readsFor(24, roles)).toBeLessThanOrEqual(2 * few);
});

test("what is undecided is said once for a role, not again for each of its members", () => {
  const objects = [{ kind: kindNames.group, uid: root, place: undefined, value: { name: "acme" } }];
  const { undecided, unknown } = reviewOf(previewOf(12, ["viewer", "editor"]), { ...knownOffline(), objects });
  const roles = ["who is viewer by root", "who is editor by root"];
  expect(undecided.map(({ what }) => what)).toEqual(roles);
  expect(unknown.map(({ what }) => what)).toEqual(roles);
});
