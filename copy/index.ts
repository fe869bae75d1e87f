export { copyOrganization, type CopyOptions, type OrganizationCopy } from "./copy-organization";
export type { Inexact } from "./read";
