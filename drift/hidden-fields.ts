import { decidesAccess, kindNamed } from "../inventory/kinds";
import type { DeclaredObject } from "../inventory/objects";
import { secretPaths } from "../provider/schema/hidden-values";
import type { Path } from "../provider/schema/values";

/** Encrypted fields that a note names. */
const mostHidden = 5;

/** Fields that cannot be compared because they are encrypted: those that the platform would have shown. */
export function hiddenFields({ kind, encryptedPaths }: DeclaredObject): Path[] {
  const ownSecrets = secretPaths(kindNamed(kind).fields).map((path) => path.join("."));
  return encryptedPaths.filter((path) => !ownSecrets.includes(path.join(".")));
}

/** Notes on hidden fields that do not decide access; those that do are findings. */
export function hiddenNotes(objects: readonly DeclaredObject[]): string[] {
  const hidden = objects.flatMap((object) =>
    hiddenFields(object)
      .filter((path) => !decidesAccess(object, path))
      .map((path) => `${path.join(".")} of ${object.urn}`),
  );
  if (hidden.length === 0) return [];
  const more = hidden.length > mostHidden ? ` and ${hidden.length - mostHidden} more` : "";
  return [
    `Not compared, because the state has them encrypted: ${hidden.slice(0, mostHidden).join(", ")}${more}. ` +
      "Pass --state-file with what `pulumi stack export --show-secrets` writes to compare them.",
  ];
}
