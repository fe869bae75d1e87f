import { list, literal, printable } from "../../provider/client/printable";
import type { WhoamiDocument } from "../documents/whoami";

const states = { taken: "taken", passedOver: "passed over", notSet: "not set" } as const;

/**
 * The result as text.
 *
 * @param now milliseconds since 1970
 */
export function drawWhoami(result: Omit<WhoamiDocument, "version">, now: number): string {
  const { baseUrl, authUrl, apiVersion, organization, readOnly, problems } = result;
  const { configured, served } = apiVersion;
  const facts = [
    ["identity", identityText(result)],
    ...(result.login ? [["logged in", `issuer ${literal(result.login.issuer)}, subject ${literal(result.login.subject)}`]] : []),
    ["API token", tokenText(result, now)],
    ["address", authUrl === baseUrl ? baseUrl : `${baseUrl}, tokens from ${authUrl}`],
    [
      "API version",
      `${configured} (${served === undefined ? "what is served is unknown" : `served: ${list(served) || "none"}`})`,
    ],
    ["organisation", organization ?? "not set"],
    ["changes", readOnly ? "rejected before they are sent: PLATFORM_READ_ONLY is set" : "allowed as far as its roles go"],
  ];
  const sources = result.sources.map(({ name, state, reason }) => [
    name,
    reason === undefined ? states[state] : `${states[state]}: ${reason}`,
  ]);
  return [
    ...columns(facts),
    "",
    "Credentials, in the order in which they are looked for:",
    ...columns(sources).map((line) => `  ${line}`),
    ...problems.flatMap((problem) => ["", `Problem: ${printable(problem)}`]),
    "",
  ].join("\n");
}

function identityText({ identity, token }: Omit<WhoamiDocument, "version">): string {
  if (token === undefined) return "unknown, for there is no API token";
  if (identity === undefined) return "unknown: the token does not say. Set platform:identity or PLATFORM_IDENTITY to its uid";
  const { uid, path, statedBy } = identity;
  const name = path === undefined ? uid : `${path} (${uid})`;
  return statedBy === "token" ? name : `${name}, by the setting: the token does not say`;
}

function tokenText({ token }: Omit<WhoamiDocument, "version">, now: number): string {
  if (token === undefined) return "none";
  const { expiresAt, audience } = token;
  const minutes = expiresAt === undefined ? 0 : Math.floor((Date.parse(expiresAt) - now) / 60_000);
  const expiry = expiresAt === undefined ? "its expiry is unknown" : `expires at ${expiresAt}, in ${minutes} min`;
  return `${expiry}; audience ${audience.length === 0 ? "unknown" : list(audience)}`;
}

function columns(rows: readonly (readonly string[])[]): string[] {
  const width = Math.max(...rows.map(([left = ""]) => left.length));
  return rows.map(([left = "", right = ""]) => `${left.padEnd(width)}  ${printable(right)}`);
}
