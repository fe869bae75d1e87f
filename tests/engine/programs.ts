/** The declarations of the program of most tests. A test changes one at a time. */
export interface Declared {
  engineering?: string;
  engineeringName?: string;
  teamParent?: string;
  identityName?: string;
  identityDescription?: string;
  claimMatch?: object;
  role?: string;
  boundIdentity?: string;
}

/** The claims of the identity `ci` unless a test says otherwise. */
export const claimMatch = {
  issuer: "https://token.actions.githubusercontent.com",
  subject: "repo:acme/shop:ref:refs/heads/main",
};

/**
 * Two levels of groups, two identities and a binding. Descriptions are given as text, empty for none.
 */
export function organization(declared: Declared = {}): string {
  const text = (value: string | undefined) => JSON.stringify(value);
  return `
    const engineering = new Group("engineering", {
      parentUid: root, name: ${text(declared.engineeringName ?? "engineering")}, description: ${text(declared.engineering ?? "Everyone who builds")},
    });
    const security = new Group("security", { parentUid: root });
    const team = new Group("team", { parentUid: ${declared.teamParent ?? "engineering"}.uid });
    const ci = new Identity("ci", {
      parentUid: team.uid, name: ${text(declared.identityName ?? "ci")}, description: ${text(declared.identityDescription ?? "Pipeline")},
      claimMatch: ${JSON.stringify(declared.claimMatch ?? claimMatch)},
    });
    const nightly = new Identity("nightly", { parentUid: team.uid, claimMatch: { issuer: "https://gitlab.com", subject: "project_path:acme/shop:ref_type:branch:ref:main" } });
    const role = platform.getRoleOutput({ name: ${text(declared.role ?? "viewer")} });
    const binding = new RoleBinding("binding", { parentUid: team.uid, identityUid: ${declared.boundIdentity ?? "ci"}.uid, roleUid: role.uid });
    exports.team = team.uid;
    exports.bound = binding.identity.name;
  `;
}
