export * from "./advisories";
export type { ByName, ByUid, Either, GetFunction, ListArgs, ListFunction } from "./data-sources";
export * from "./groups";
export * from "./identities";
export type { GetOutputFunction, ListOutputFunction, OutputArgs } from "./output-form";
export * from "./repos";
export * from "./role-bindings";
export * from "./roles";
export * from "./tags";
