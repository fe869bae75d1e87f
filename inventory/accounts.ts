import type { Values } from "../provider/kinds/canonical";

/** The accounts of an account association, in words: `AWS account 123456789012`. */
export function accountsIn(value: Values): string[] {
  const [amazon, google, azure, github] = ["amazon", "google", "azure", "github"].map((member) => membersOf(value[member]));
  const services = membersOf(membersOf(value["chainguard"])["serviceBindings"]);
  return [
    ...named(amazon, "account", "AWS account"),
    ...named(google, "projectId", "Google Cloud project"),
    ...named(azure, "tenantId", "Azure tenant"),
    ...Object.entries(membersOf(github?.["appInstallations"])).flatMap(([app, installed]) => {
      const all = membersOf(installed)["installations"];
      return (Array.isArray(all) ? all : []).map(
        (installation) => `GitHub app ${app}, installation ${String(membersOf(installation)["installationId"])}`,
      );
    }),
    ...Object.entries(services).map(([service, identity]) => `the platform's service ${service} as identity ${String(identity)}`),
  ];
}

function named(members: Values | undefined, name: string, what: string): string[] {
  const value = members?.[name];
  return typeof value === "string" && value !== "" ? [`${what} ${value}`] : [];
}

function membersOf(value: unknown): Values {
  return typeof value === "object" && value !== null ? (value as Values) : {};
}
