/** Secrets of resources that this process has handled. Bounded by the size of its stack. */
const secrets = new Set<string>();

/** Tokens that this process has handled, the latest last. */
const tokens = new Set<string>();

/** A long-lived process gets a new token about every hour, and no answer repeats a token that is a hundred tokens old. */
const mostTokens = 100;

/** A text that begins like a JSON Web Token, with the parts of one. It matches greedily, so no character is read twice. */
const jwt = /\beyJ[A-Za-z0-9_-]{5,}(\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*)?)?/g;
const bearer = /\b(bearer)\s+[^\s"',;]+/gi;

/** Shorter texts would remove too much. */
const shortest = 8;

/** Makes {@link redact} remove `secret` in any form from all later texts. */
export function rememberSecret(secret: string): void {
  if (secret.length >= shortest) secrets.add(secret);
}

/** Does the same for a token, while it is one of the latest hundred. */
export function rememberToken(token: string): void {
  if (token.length < shortest) return;
  tokens.delete(token);
  tokens.add(token);
  if (tokens.size <= mostTokens) return;
  const [oldest = ""] = tokens;
  tokens.delete(oldest);
}

/** `text` without any remembered secret, JSON Web Token or bearer credential. */
export function redact(text: string): string {
  let clean = text;
  // Longest first, because one secret may be part of another.
  for (const secret of [...secrets, ...tokens].sort((one, other) => other.length - one.length))
    clean = clean.replaceAll(secret, "[redacted]");
  return clean
    .replace(jwt, (start, rest?: string) => (rest === undefined ? start : "[redacted]"))
    .replace(bearer, "$1 [redacted]");
}
