import { ciOf, nothingWritten, type Play } from "./play";

/** Blocks of `docs/commands/`. */
export const commandPlays: Readonly<Record<string, Play>> = {
  "docs/commands/access.md#access": { check: nothingWritten },
  "docs/commands/completion.md#completion": {
    // Folders that the shells make, and a variable of zsh.
    before: async (world) => world.write("home/.config/fish/conf.d/empty", ""),
    replace: () => ({ "${fpath[1]}": "$HOME" }),
    check: async (world) => {
      for (const file of [".pulumi-platform.bash", "_pulumi-platform", ".config/fish/conf.d/pulumi-platform.fish"])
        expect(await world.read(`home/${file}`)).toContain("rehearse");
    },
  },
  "docs/commands/doctor.md#doctor": {
    before: async (world) => world.succeed("pulumi preview --json --show-sames --show-replacement-steps > preview.json"),
    check: nothingWritten,
  },
  "docs/commands/drift.md#drift": { codes: [7, 7, 0], check: nothingWritten },
  "docs/commands/drift.md#the-first-night": {
    codes: [7],
    check: async (world) => expect(await world.read("drift-ignore.yaml")).toContain("owner:"),
  },
  "docs/commands/export.md#export": { check: nothingWritten },
  "docs/commands/forget.md#forget": {
    replace: async (world) => {
      const urn = (await world.succeed("pulumi stack export | jq -r '.deployment.resources[].urn'"))
        .split("\n")
        .find((each) => each.endsWith("Identity::ci"));
      const uid = await ciOf(world);
      const place = uid.slice(0, uid.lastIndexOf("/"));
      const bindings = await world.platform.objects("roleBindings");
      const binding = bindings.find((each) => each.uid.startsWith(`${place}/`))?.uid ?? "";
      await world.platform.delete("roleBindings", binding);
      await world.platform.delete("identities", uid);
      return { UID: binding, URN: urn ?? "" };
    },
    codes: [2, 0, 0],
    check: nothingWritten,
  },
  "docs/commands/rehearse.md#rehearse": {
    check: async (world) => {
      await nothingWritten(world);
      expect(await world.read("rehearsal.json")).toContain("live");
    },
  },
  "docs/commands/report.md#report": {
    replace: ({ platform }) => ({ "<uid>": platform.root }),
    check: nothingWritten,
  },
  "docs/commands/review.md#review": { check: nothingWritten },
  "docs/commands/up.md#up": {
    check: async ({ platform }) => expect(await platform.groupNames()).toContain("live"),
  },
  "docs/commands/watch.md#watch": {
    replace: () => ({ 9464: "0", 8080: "0" }),
    ready: /^\S+ appeared /m,
    codes: [0, 0, 0],
  },
  "docs/commands/whoami.md#whoami": { check: nothingWritten },
};
