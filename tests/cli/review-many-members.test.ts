import { reviewOf } from "../../cli/review/review";
import type { PreviewFile, PreviewState } from "../../preview/file";
import { unknownValue } from "../../provider/schema/inputs";
import { acme, dependingOn, identity, made, offline, previewOf, root, undecidedIn } from "../support/preview-steps";

/** A preview of new identities, all of which become members of a new `GroupAccess`. @param onRead called whenever their inputs are read */
function membersOf(members: number, roles: readonly string[], onRead: () => void = () => undefined): PreviewFile {
  const identities = Array.from({ length: members }, (_, index) =>
    made("Identity", `person-${index}`, identity(`person-${index}`)),
  );
  const inTurn = (at: number) =>
    identities.flatMap((_, index) => (index % roles.length === at ? [[`member ${index}`, unknownValue]] : []));
  const access = Object.fromEntries(roles.map((role, at) => [role, Object.fromEntries(inTurn(at)) as object]));
  const group = dependingOn(made("GroupAccess", "root", { parentUid: root, access }), { access: identities });
  const file = previewOf(...identities, group);
  const counted = (state: PreviewState): PreviewState => ({
    ...state,
    get inputs() {
      onRead();
      return { ...state.inputs };
    },
  });
  const isCounted = (urn: string) => identities.some((each) => each.urn === urn);
  const steps = file.steps.map((each) => (isCounted(each.urn) ? { ...each, newState: counted(each.newState) } : each));
  return { ...file, steps };
}

test.each([
  ["one role", ["viewer"]],
  ["several roles", ["viewer", "editor", "owner"]],
])("twice as many new members of %s of a GroupAccess are twice the work, not more", (_what, roles) => {
  const [few, many] = [12, 24].map((members) => {
    const onRead = jest.fn();
    expect(reviewOf(membersOf(members, roles, onRead), offline).changes).toHaveLength(members);
    return onRead.mock.calls.length;
  });
  expect(few).toBeGreaterThan(0);
  expect(many).toBeLessThanOrEqual(2 * (few ?? 0));
});

test("what is undecided is said once for a role, not again for each of its members", () => {
  const found = reviewOf(membersOf(12, ["viewer", "editor"]), { ...offline, objects: [acme] });
  expect(undecidedIn(found)).toEqual(["who is viewer by root", "who is editor by root"]);
  expect(found.unknown).toEqual(found.undecided);
});
