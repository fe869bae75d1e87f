import { getRoleOutput, Group, Identity, RoleBinding } from "pulumi-platform";
import { declareOrganization } from "./organization";

// The product, as its users write it.
declareOrganization({ Group, Identity, RoleBinding, viewer: getRoleOutput({ name: "viewer" }).uid });
