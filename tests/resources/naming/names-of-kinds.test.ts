import { unknownValue } from "../../../provider/schema/inputs";
import type { Inputs, Kind } from "../../../provider/schema/kind";
import { kinds } from "../../../provider/kinds/kinds";
import { referencesOf } from "../../../provider/schema/references";
import { type Made, NamesFixture, update } from "../../support/names-fixture";
import { expectFailure } from "../../support/resource-fixture";

const names = NamesFixture.forFile();

const named = Object.entries<Kind>(kinds).filter(([, { fields }]) => referencesOf(fields).length > 0);

/** Valid inputs of `kind`, by uids and by names. */
async function bothForms(kind: Kind): Promise<{ uids: Inputs; byName: Inputs }> {
  const place = kind.parents.segment === "groups" ? names.team.uid : await names.resources.place(kind, names.team.uid);
  const uids: Inputs = { ...(await names.resources.inputs(kind, place)), ...(kind === kinds.roleBinding && names.uids()) };
  const texts = { group: names.place, role: "viewer", identity: names.login };
  const references = referencesOf(kind.fields);
  const named = references.map(({ uid }) => uid);
  const rest = Object.entries(uids).filter(([name]) => !named.includes(name));
  return { uids, byName: Object.fromEntries([...rest, ...references.map(({ name, to }) => [name, texts[to]] as const)]) };
}

/** The uids among `inputs` that have a name too. */
function uidsIn(kind: Kind, inputs: Inputs): Inputs {
  return Object.fromEntries(referencesOf(kind.fields).map(({ uid }) => [uid, inputs[uid]]));
}

/** A later run of an unchanged program with the object `old`: a preview, an update and a refresh. */
async function laterRun(kind: Kind, old: Made) {
  const preview = await names.diffed(kind, old, old.inputs, {});
  const up = await names.diffed(kind, old, old.inputs, update);
  return { diffs: [preview.diff, up.diff], read: await names.process().of(kind).read(old.id, old.outs) };
}

describe.each(named)("%s", (_name, kind) => {
  test("is created by names; state holds texts and uids, and later runs find no difference", async () => {
    const { uids, byName } = await bothForms(kind);
    const made = await names.made(kind, byName);
    expect(made.inputs).toEqual({ ...byName, ...uidsIn(kind, uids) });
    expect(made.outs).toMatchObject({ ...uids, ...byName });
    const { diffs, read } = await laterRun(kind, made);
    expect(diffs).toEqual([
      { changes: false, replaces: [], deleteBeforeReplace: false },
      { changes: false, replaces: [], deleteBeforeReplace: false },
    ]);
    expect(read).toMatchObject({ id: made.id, inputs: made.inputs, props: made.outs });
  });

  test("takes names for uids and back without a write", async () => {
    const { uids, byName } = await bothForms(kind);
    let old = await names.made(kind, uids);
    await names.platform.clearRequests();
    for (const news of [byName, uids]) {
      old = await names.updated(kind, old, news);
      expect(old.outs).toMatchObject(news);
    }
    expect(await names.platform.writes()).toEqual([]);
  });

  test("rejects a name that nothing has, before anything is sent", async () => {
    const { byName } = await bothForms(kind);
    const wrong = { group: `${names.place}/nothing`, role: "veiwer", identity: `${names.place}/nothing` };
    await names.platform.clearRequests();
    for (const { name, to } of referencesOf(kind.fields)) {
      await expectFailure(names.made(kind, { ...byName, [name]: wrong[to] }), "NOT_FOUND", name, "Nothing was changed.");
    }
    expect(await names.platform.writes()).toEqual([]);
  });

  test("wants a uid or a name, and takes an unknown one", async () => {
    const { byName } = await bothForms(kind);
    const { fields } = kind;
    for (const { name, uid } of referencesOf(fields)) {
      const failuresOf = async (news: Inputs) =>
        (await names.process().of(kind).check({}, news)).failures.map(({ reason }) => reason);
      const { [name]: _, ...without } = byName;
      expect(await failuresOf(without)).toEqual([expect.stringContaining(`${uid} or ${name} `)]);
      expect(await failuresOf({ ...byName, [uid]: "a/b" })).toContainEqual(
        expect.stringContaining(`exactly one of ${uid} and ${name}`),
      );
      expect(await failuresOf({ ...byName, [name]: unknownValue })).toEqual([]);
    }
  });
});

test("a default role of an identity provider that was exchanged for another of the same name is drift, and repaired", async () => {
  const kind: Kind = kinds.identityProvider;
  const name = names.resources.name("starter");
  const meant = await names.customRole(names.team.uid, name);
  const { byName } = await bothForms(kind);
  const made = await names.made(kind, { ...byName, defaultRoleName: name });
  const other = await names.customRole(names.platform.root, name);
  await names.platform.change("identityProviders", made.id, { defaultRole: other.uid });
  const process = names.process();
  const { props = {}, inputs = {} } = await process.of(kind).read(made.id, made.outs);
  const drifted = { ...made, outs: props, inputs };
  const next = await names.diffed(kind, drifted, made.inputs, update, process);
  expect(next.diff).toMatchObject({ changes: true, replaces: [] });
  await process.of(kind).update(made.id, props, next.inputs);
  const rows = await names.platform.objects("identityProviders");
  expect(rows.find(({ uid }) => uid === made.id)).toMatchObject({ defaultRole: meant.uid });
});

test("a mapping looks its role up from its scope, where it is granted, not from its identity provider", async () => {
  const kind: Kind = kinds.externalGroupRoleMapping;
  const { byName } = await bothForms(kind);
  const [here, above] = [names.resources.name("here"), names.resources.name("above")];
  const onlyHere = await names.customRole(names.team.uid, here);
  const inScope = await names.customRole(names.platform.root, above);
  expect((await names.made(kind, { ...byName, roleName: above })).outs).toMatchObject({ roleUid: inScope.uid });
  await expectFailure(names.made(kind, { ...byName, roleName: here }), "NOT_FOUND", `only elsewhere (${onlyHere.uid})`);
});

test("a spent invite keeps its names: a refresh finds no difference", async () => {
  const kind: Kind = kinds.groupInvite;
  const { byName } = await bothForms(kind);
  const made = await names.made(kind, { ...byName, singleUse: true });
  await names.platform.delete("groupInvites", made.id);
  const { diffs, read } = await laterRun(kind, made);
  expect(read).toMatchObject({ id: made.id, inputs: made.inputs });
  expect(Object.keys(read.inputs ?? {}).sort()).toEqual(Object.keys(made.inputs).sort());
  expect(diffs).toMatchObject([{ changes: false }, { changes: false }]);
});
