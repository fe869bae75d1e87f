import "../provider/client/needs-node";

export type { GroupContents, GroupEntry, IdentityEntry } from "./components/entries";
export { Organization, type OrganizationArgs, type OrganizationFile, type OrganizationTree } from "./components/organization";
export { Team, type TeamArgs } from "./components/team";
export type { ErrorDetails, ErrorLink, ErrorResource, FieldViolation, Violation } from "../provider/client/error-details";
export { PlatformError, type PlatformErrorCode, type PlatformErrorOptions } from "../provider/client/errors";
export type { ByName, ByUid, Either, GetFunction, ListArgs, ListFunction } from "./functions/data-sources";
export * from "./functions/effective-access";
export * from "./functions/get-caller";
export * from "./functions/get-person";
export type { GetOutputFunction, ListOutputFunction, OutputArgs } from "./functions/output-form";
export * from "./kinds";
export * from "./resources/claims";
export * from "./resources/open-logins";
export * from "./resources/pipeline-claims";
export { Provider } from "./resources/provider";
export type { ProviderArgs } from "./resources/provider-arguments";
export * from "./resources/workload-claims";
