import { knownOnline } from "../../cli/review/known";
import { reviewOf } from "../../cli/review/review";
import { settings } from "../../provider/credentials";
import { codeOf } from "../../provider/client/errors";
import type { Kind } from "../../provider/schema/kind";
import * as objectKinds from "../../emulator/objects/all-kinds";
import type { ObjectKind } from "../../emulator/objects/object-kind";
import { changedInputs } from "../support/kind-inputs";
import { previewOf, providerOf } from "../support/preview-steps";
import { declare, kinds, ResourceFixture } from "../support/resource-fixture";

const fixture = ResourceFixture.forFile();

/** An update as a step of a preview, and as the provider does it with the credentials of an identity. */
interface Update {
  readonly step: object;
  run(identity: string): Promise<unknown>;
}

type Verb = "create" | "update" | "delete";

/** The capabilities of the roles that updates here give. */
const given = ["CAP_REPO_LIST"];

/** The names of fields that give a role. */
const givingFields = (kind: Kind) => ["roleUid", "defaultRole"].filter((field) => field in kind.fields);

/** An update of an object of its own. */
async function updateOf(kind: Kind, verb: Verb): Promise<Update> {
  const { name, collection } = kind;
  const type = `platform:${collection.area}:${name}`;
  const [role, other] = [await fixture.role(given), await fixture.role(given)];
  const giving = (uid: string) => Object.fromEntries(givingFields(kind).map((field) => [field, uid]));
  const inputs = { ...(await fixture.inputs(kind, await fixture.place(kind))), ...giving(role) };
  const state = { urn: `urn:pulumi:a::b::${type}::it`, type, custom: true, provider: providerOf(type) };
  const as = async (identity: string) => fixture.run(await fixture.as(identity));
  if (verb === "create") {
    const step = { op: verb, urn: state.urn, newState: { ...state, inputs } };
    return { step, run: async (identity) => declare(kind, inputs, await as(identity)) };
  }
  const made = await fixture.made(kind, inputs);
  const oldState = { ...state, id: made.uid, inputs: made.inputs, outputs: made.outs };
  if (verb === "delete")
    return { step: { op: verb, urn: state.urn, oldState }, run: async (identity) => made.remove(await as(identity)) };
  const news = { ...changedInputs(kind, made.inputs, other), ...giving(other) };
  const newState = { ...state, inputs: news };
  return {
    step: { op: verb, urn: state.urn, oldState, newState },
    run: async (identity) => made.update(news, await as(identity)),
  };
}

/** The rights of each identity for its update, by a review whose credentials see all. */
async function judged(cases: readonly { readonly update: Update; readonly identity: string }[]) {
  const { environment } = fixture.platform;
  const configured = Object.fromEntries(
    Object.values(settings).flatMap((setting) => ("key" in setting ? [[setting.key, environment[setting.environment]]] : [])),
  );
  const { caller, ...known } = await knownOnline(previewOf(...cases.map(({ update }) => update.step)), configured);
  if (caller === undefined) throw new Error("nobody's rights were checked");
  return cases.map(({ update, identity }) => {
    const { rights } = reviewOf(previewOf(update.step), { ...known, caller: { ...caller, uid: identity } });
    if (rights === undefined || rights.calls !== 1) throw new Error("the call was not found");
    return rights.refused.length > 0 ? "refused" : rights.unchecked.length > 0 ? "not checked" : "allowed";
  });
}

/** An identity with a role in the organisation that allows just this. */
async function someone(capabilities: readonly string[]): Promise<string> {
  const uid = await fixture.identity();
  await fixture.grant(uid, fixture.platform.root, ...capabilities);
  return uid;
}

const verbs = kinds.flatMap(([noun, kind]): [Verb, string, Kind][] => [
  ["create", noun, kind],
  ...(kind.calls.update === "none" ? [] : [["update", noun, kind] as [Verb, string, Kind]]),
  ["delete", noun, kind],
]);

test.each(verbs)(
  "a review knows who may %s a %s: the platform refuses what it says, and nothing that it allows",
  async (verb, _, kind) => {
    const { capabilities } = (objectKinds as Record<string, ObjectKind>)[kind.collection.segment] as ObjectKind;
    const required = capabilities[kind.calls.update === "post" && verb === "update" ? "create" : verb] ?? [];
    const gives = verb === "delete" ? [] : givingFields(kind).length > 0 ? given : [];
    const all = [...new Set([capabilities.list, ...required, ...gives])];
    const cases = [];
    for (const lacking of ["nothing", ...all]) {
      const [update, identity] = [await updateOf(kind, verb), await someone(all.filter((each) => each !== lacking))];
      cases.push({ lacking, update, identity });
    }
    const says = await judged(cases);
    const ends = [];
    for (const [at, { lacking, update, identity }] of cases.entries()) {
      const does = await update.run(identity).then(
        () => "done",
        (error: unknown) => codeOf(error),
      );
      ends.push({ lacking, says: says[at], does });
    }
    // Every prediction is right.
    expect(ends.filter((end) => end.says === "refused" && end.does !== "PERMISSION_DENIED")).toEqual([]);
    expect(ends.filter((end) => end.says === "allowed" && end.does !== "done")).toEqual([]);
    // And all is said that is documented: no List of all tags tells whether one exists that a create would adopt.
    expect(ends[0]?.says).toBe("allowed");
    const isOpen = kind.collection.segment === "tags" && verb === "create";
    for (const { lacking, says: said } of ends.filter((end) => required.includes(end.lacking)))
      expect([lacking, said]).toEqual([lacking, isOpen ? "not checked" : "refused"]);
  },
);
