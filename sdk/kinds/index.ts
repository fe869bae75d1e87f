// The declarable and readable kinds of programs, with a class and its data sources in each file.
export * from "./account-association";
export * from "./advisory";
export * from "./external-group-role-mapping";
export * from "./group";
export * from "./group-access";
export * from "./group-invite";
export * from "./identity";
export * from "./identity-provider";
export * from "./registry-credentials";
export * from "./repo";
export * from "./role";
export * from "./role-binding";
export * from "./subscription";
export * from "./tag";
