import { caller } from "./caller";
import { effectiveAccess } from "./effective-access";

/** The data sources that read more than one kind. */
export const dataSources = [effectiveAccess, caller] as const;
