import { ownRights } from "../../inventory/sight";
import { readStates } from "../../inventory/state";
import type { PlatformClient } from "../../provider/client/client";
import { hasCode, PlatformError, textOf } from "../../provider/client/errors";
import { type Configuration, connect, isExchanged, readConfiguration } from "../../provider/credentials";
import { SettingReader } from "../../provider/credentials/settings";
import { kinds } from "../../provider/kinds/kinds";
import type { Finding } from "../documents/doctor";
import { settingsFor } from "../shell/settings";
import { stackState } from "../shell/stack";
import { clockFinding, overriddenFindings, tokenFinding, versionFinding } from "./findings";
import { previewFindings } from "./preview";
import { needsFindings, readOnlyFinding, rightsFinding } from "./rights";

/**
 * Adds the result of each check to `findings`. Ends at the first failure that makes later checks impossible.
 *
 * @param preview the file of a preview whose calls are compared with the rights. Default: none
 */
export async function examine(named: string | undefined, findings: Finding[], preview?: string): Promise<void> {
  let check = "configuration";
  try {
    const { stack, configured, configuration } = await settingsFor(named);
    const { credentials, organization, readOnly, baseUrl } = configuration;
    findings.push({ check, status: "ok", message: `The address is ${baseUrl}; credentials come from ${credentials.origin}.` });
    findings.push(...overriddenFindings(configuration));
    const client = connect(configuration);
    check = "API version";
    const served = await client.servedVersions();
    findings.push(versionFinding(configuration.apiVersion, served), clockFinding(client.serverTime(), Date.now()));
    if (findings.some((finding) => finding.check === check && finding.status === "problem")) return;
    check = "token";
    const facts = await client.tokenFacts();
    if (facts) findings.push(tokenFinding(facts, credentials.kind !== "token", client.now()));
    check = "organisation";
    findings.push(await organizationFinding(client, organization));
    check = "rights";
    const own = await ownRights(client);
    if (organization !== undefined) findings.push(rightsFinding(own, organization));
    check = "read-only identity";
    const reader = new SettingReader(configured, process.env);
    if (!readOnly && organization !== undefined && reader.find("readOnlyIdentity"))
      findings.push(isExchanged(credentials) ? await examineReadOnly(configured, organization) : notExchanged);
    check = "stack";
    if (stack !== undefined)
      findings.push(...needsFindings(own, readStates(new Map([[stack, await stackState(stack)]])).managed, readOnly));
    check = "preview";
    if (preview !== undefined) findings.push(...(await previewFindings(preview, configured, { configuration, client })));
  } catch (error) {
    findings.push(failed(check, error));
  }
}

/** The finding for a failed check. The first line of an error is the reason, the other lines are the remedy. */
function failed(check: string, error: unknown): Finding {
  const [message = "", ...fix] = textOf(error).split("\n");
  return { check, status: "problem", message, ...(fix.length > 0 && { fix: fix.join("\n") }) };
}

async function organizationFinding(client: PlatformClient, organization: Configuration["organization"]): Promise<Finding> {
  const check = "organisation";
  if (organization !== undefined) {
    const { name } = await client.get(kinds.group.collection, organization).catch((error: unknown) => {
      if (!hasCode(error, "NOT_FOUND")) throw error;
      const fix = "Check its uid, the address of the API, and that their identity has a role there or above.";
      throw new PlatformError("NOT_FOUND", `These credentials see no group ${organization}.\n${fix}`, { cause: error });
    });
    return { check, status: "ok", message: `${name} (${organization}) is visible.` };
  }
  // Even without an organisation, the platform must accept the token.
  await client.listSome(kinds.group.collection, {}, 1);
  const fix = "Set platform:organization or PLATFORM_ORGANIZATION to the uid of its root group.";
  return { check, status: "warning", message: "It is not set, so the rights of these credentials in it were not checked.", fix };
}

const notExchanged: Finding = {
  check: "read-only identity",
  status: "warning",
  message: "An API token is used as is, so no run here assumes this identity, with or without PLATFORM_READ_ONLY.",
  fix: "Set PLATFORM_OIDC_TOKEN_FILE or PLATFORM_OIDC_TOKEN instead, or run this check where runs have them.",
};

/** Logs in as a run with `PLATFORM_READ_ONLY` does. */
async function examineReadOnly(
  configured: Readonly<Record<string, string | undefined>> | undefined,
  organization: string,
): Promise<Finding> {
  try {
    const client = connect(readConfiguration(configured, { ...process.env, PLATFORM_READ_ONLY: "true" }));
    await client.get(kinds.group.collection, organization);
    return readOnlyFinding(await ownRights(client), organization);
  } catch (error) {
    return failed("read-only identity", error);
  }
}
