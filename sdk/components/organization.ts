import * as pulumi from "@pulumi/pulumi";
import { literal } from "../../provider/client/printable";
import { anyText, checkArguments } from "../resources/claim-arguments";
import { hasType } from "../resources/resource";
import type { Group } from "../kinds/group";
import type { Identity } from "../kinds/identity";
import {
  accessAs,
  anything,
  dynamicClasses,
  eventualUid,
  optionsOf,
  uidsByName,
  type ResourceClasses,
  uidsOf,
  withValues,
} from "./component";
import type { AccessAs } from "./declare-grants";
import { declarePlan } from "./declare-plan";
import type { GroupContents, GroupEntry } from "./entries";
import { planOf, planOfFile } from "./source";

interface Top extends AccessAs {
  /** Uid of the group at the top, which exists already: the root of an organisation, or any group of it. */
  parentUid: pulumi.Input<string>;
  /** Uids of roles that this program declares, by their names in `access`. Other names are looked up. Default: none. */
  roles?: Record<string, pulumi.Input<string>>;
}

/** The arguments of an {@link Organization} whose tree is in the program. */
export interface OrganizationTree extends Top, GroupContents {
  /** The groups in the group at the top by their keys, which are their names unless they have a `name`. */
  groups: Record<string, GroupEntry>;
  file?: undefined;
}

/** The arguments of an {@link Organization} whose tree is in a file. */
export interface OrganizationFile extends Top {
  /** Path of a YAML or JSON file with the tree, relative to the working directory of the program. */
  file: string;
  groups?: undefined;
  identities?: undefined;
  access?: undefined;
}

/** The arguments of an {@link Organization}: the tree, or a file that contains it. */
export type OrganizationArgs = OrganizationFile | OrganizationTree;

/**
 * A tree of groups with their identities and access, as one component. The whole tree is checked before anything is declared. Names of
 * resources are made of keys, so a new or moved entry changes no other resource.
 *
 * @example
 * ```ts
 * import { githubActions, Organization } from "pulumi-platform";
 *
 * const acme = new Organization("acme", {
 *   parentUid: "0123456789abcdef0123456789abcdef01234567",
 *   groups: {
 *     engineering: {
 *       description: "Everyone who builds",
 *       access: { viewer: ["acme/engineering/shop/ci"] },
 *       groups: {
 *         shop: {
 *           identities: { ci: { claimMatch: githubActions({ repository: "acme/shop", branch: "main" }) } },
 *           access: { editor: ["ci"] },
 *         },
 *       },
 *     },
 *   },
 * });
 * export const shopUid = acme.groups["acme/engineering/shop"]?.uid;
 * ```
 */
export class Organization extends pulumi.ComponentResource {
  /** The type of the component, as in its URN. */
  static readonly __pulumiType: string = "platform:iam:Organization";

  /** The classes of its resources. */
  protected static readonly classes: ResourceClasses = dynamicClasses;

  /** The groups of the tree by their paths, which begin with the name of the component: `acme/engineering/shop`. */
  readonly groups: Readonly<Partial<Record<string, Group>>>;

  /** The identities of the tree by their paths: `acme/engineering/shop/ci`. */
  readonly identities: Readonly<Partial<Record<string, Identity>>>;

  /**
   * @param name the unique name of the component in the program
   * @throws pulumi.RunError that lists all problems of the tree
   */
  constructor(name: string, args: OrganizationArgs, opts?: pulumi.ComponentResourceOptions) {
    const what = `Organization ${literal(name)}`;
    const { parentUid, file, roles = {}, accessAs: as, ...tree } = withValues(args) as OrganizationArgs;
    const choices = { groups: anything, file: anyText };
    const optional = { roles: uidsByName, accessAs, ...(file === undefined && { identities: anything, access: anything }) };
    checkArguments(what, withValues(args), { parentUid: eventualUid }, { choices, optional });
    const plan = file === undefined ? planOf(what, name, tree) : planOfFile(what, name, file);
    super(Organization.__pulumiType, name, {}, opts);
    const component = { name, top: parentUid, roles, accessAs: as };
    const { groups, identities } = declarePlan(component, plan, optionsOf(this, opts), new.target.classes);
    this.groups = groups;
    this.identities = identities;
    this.registerOutputs({ groups: uidsOf(groups), identities: uidsOf(identities) });
  }

  /** Returns true for a component of this class, also one that another copy of the package constructed. */
  static override isInstance(obj: unknown): obj is Organization {
    return hasType(obj, Organization.__pulumiType);
  }
}
