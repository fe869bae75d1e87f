/** Every secret that this process has handled: tokens are short-lived and few. */
const secrets = new Set<string>();

const jwt = /\beyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*)?/g;
const bearer = /\b(bearer)\s+[^\s"',;]+/gi;

/** Makes {@link redact} remove `secret` from every later text, whatever its form. */
export function rememberSecret(secret: string): void {
  if (secret.length >= 8) secrets.add(secret);
}

/** `text` without any remembered secret, JSON Web Token or bearer credential. */
export function redact(text: string): string {
  let clean = text;
  // Longest first: one secret may be a part of another.
  for (const secret of [...secrets].sort((one, other) => other.length - one.length))
    clean = clean.replaceAll(secret, "[redacted]");
  return clean.replace(jwt, "[redacted]").replace(bearer, "$1 [redacted]");
}
