import { decidesAccess, kindNamed } from "../inventory/kinds";
import type { DeclaredObject } from "../inventory/objects";
import { secretPaths } from "../provider/schema/hidden-values";
import type { Path } from "../provider/schema/values";

/** Maximum number of encrypted fields in a note. */
const mostHidden = 5;

/** Encrypted fields that cannot be compared although the platform shows them. */
export function hiddenFields({ kind, encryptedPaths }: DeclaredObject): Path[] {
  const ownSecrets = secretPaths(kindNamed(kind).fields).map((path) => path.join("."));
  return encryptedPaths.filter((path) => !ownSecrets.includes(path.join(".")));
}

/** Notes on hidden fields that do not decide access. The others are findings. */
export function hiddenNotes(objects: readonly DeclaredObject[]): string[] {
  const hidden = objects.flatMap((object) =>
    hiddenFields(object)
      .filter((path) => !decidesAccess(object, path))
      .map((path) => `${path.join(".")} of ${object.urn}`),
  );
  if (hidden.length === 0) return [];
  const more = hidden.length > mostHidden ? ` and ${hidden.length - mostHidden} more` : "";
  return [
    `Not compared, because they are encrypted: ${hidden.slice(0, mostHidden).join(", ")}${more}. ` +
      "To compare them, pass --state-file with the output of `pulumi stack export --show-secrets`.",
  ];
}
