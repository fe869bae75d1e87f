import * as dynamic from "../index";
import { Group, Identity, RoleBinding } from "./resources";

const classes = { Group, Identity, RoleBinding };

/** See `Organization` of `pulumi-platform`: the same, with resources that the plugin serves. */
export class Organization extends dynamic.Organization {
  protected static override readonly classes = classes;
}

/** See `Team` of `pulumi-platform`: the same, with resources that the plugin serves. */
export class Team extends dynamic.Team {
  protected static override readonly classes = classes;
}
