import type { SnapshotAccount } from "../access/snapshot";
import { valueInWords } from "../access/values";
import { unknownValue } from "../provider/schema/inputs";
import type { Values } from "../provider/schema/values";

/**
 * The accounts of an association. They include every setting that decides who acts for the group, so that a change of one makes another
 * account.
 */
export function accountsIn({
  amazon,
  google,
  azure,
  github,
  chainguard,
}: Values): Pick<SnapshotAccount, "account" | "identityUid">[] {
  const memberOf = (block: unknown, member: string) =>
    typeof block === "object" && block !== null ? (block as Values)[member] : block;
  const inWords = (block: unknown, member: string) => valueInWords(memberOf(block, member) ?? "");
  const entriesIn = (block: unknown, member: string): [string, unknown][] => {
    const entries = memberOf(block, member);
    if (entries === unknownValue) return [[unknownValue, unknownValue]];
    return typeof entries === "object" && entries !== null ? Object.entries(entries) : [];
  };
  const tenant = `Azure tenant ${inWords(azure, "tenantId")}`;
  const clients = entriesIn(azure, "clientIds").map(
    ([component, id]) => `${tenant}, client ${valueInWords(id)} of ${valueInWords(component)}`,
  );
  const apps = entriesIn(github, "appInstallations").flatMap(([app, value]) => {
    const installations = memberOf(value, "installations");
    const all: unknown[] = Array.isArray(installations) ? installations : [];
    const name = `GitHub app ${valueInWords(app)}`;
    return all.length === 0 ? [name] : all.map((each) => `${name}, installation ${inWords(each, "installationId")}`);
  });
  const others = [
    ...(amazon ? [`AWS account ${inWords(amazon, "account")}`] : []),
    ...(google ? [`Google Cloud project ${inWords(google, "projectId")}, number ${inWords(google, "projectNumber")}`] : []),
    ...(azure ? (clients.length === 0 ? [tenant] : clients) : []),
    ...apps,
  ];
  return [
    ...others.map((account) => ({ account })),
    ...entriesIn(chainguard, "serviceBindings").map(([service, identity]) => ({
      account: `service ${valueInWords(service)} of the platform`,
      identityUid: String(identity),
    })),
  ];
}
