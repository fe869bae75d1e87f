import { getRoleOutput, Group, Identity, RoleBinding } from "pulumi-platform/native";
import { declareOrganization } from "./organization";

// The same through the plugin.
declareOrganization({ Group, Identity, RoleBinding, viewer: getRoleOutput({ name: "viewer" }).uid });
