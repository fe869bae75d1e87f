import * as pulumi from "@pulumi/pulumi";
import { literal } from "../../provider/client/printable";
import { group } from "../../provider/kinds/group";
import { checkArguments } from "../resources/claim-arguments";
import { hasType } from "../resources/resource";
import type { Group, GroupArgs } from "../kinds/group";
import type { Identity } from "../kinds/identity";
import { accessAs, anything, dynamicClasses, eventualUid, optionsOf, type ResourceClasses, withValues } from "./component";
import type { AccessAs } from "./declare-grants";
import { declarePlan } from "./declare-plan";
import type { GroupContents, IdentityEntry } from "./entries";
import { planOf } from "./source";
import { argumentsOf } from "./tree";

/** The arguments of a {@link Team}: the arguments of its group, its pipeline and its access. */
export type TeamArgs = GroupArgs & {
  /**
   * The identity of the team's pipeline, as the arguments of an `Identity` without `parentUid`. It is named `pipeline` unless it has a
   * `name`.
   */
  pipeline: IdentityEntry;
  /**
   * The access in the team's group, as lists of identities by the names of roles. An identity is `pipeline`, the path of one outside the
   * team such as `acme/security/auditor`, or a uid. Default: no access.
   */
  access?: GroupContents["access"];
} & AccessAs;

/**
 * A team, with its group, the identity of its pipeline, and the access in the group.
 *
 * @example
 * ```ts
 * import { githubActions, Team } from "pulumi-platform";
 *
 * const shop = new Team("shop", {
 *   parentUid: "0123456789abcdef0123456789abcdef01234567",
 *   description: "What customers see",
 *   pipeline: { claimMatch: githubActions({ repository: "acme/shop", branch: "main" }) },
 *   access: { editor: ["pipeline"] },
 * });
 * export const shopUid = shop.uid;
 * ```
 */
export class Team extends pulumi.ComponentResource {
  /** The type of the component, as in its URN. */
  static readonly __pulumiType: string = "platform:iam:Team";

  /** The classes of its resources. */
  protected static readonly classes: ResourceClasses = dynamicClasses;

  /** The team's group. */
  readonly group: Group;

  /** The identity of the team's pipeline. */
  readonly pipeline: Identity;

  /** Uid of the team's group. */
  readonly uid: pulumi.Output<string>;

  /**
   * @param name the unique name of the component in the program, and the name of the group unless `args.name` is set
   * @throws pulumi.RunError that lists all problems
   */
  constructor(name: string, args: TeamArgs, opts?: pulumi.ComponentResourceOptions) {
    const what = `Team ${literal(name)}`;
    const { pipeline, access, accessAs: as, ...own } = withValues(args) as TeamArgs;
    const more = Object.fromEntries([...argumentsOf(group), "access"].map((argument) => [argument, anything]));
    const choices = { parentUid: eventualUid, parentPath: anything };
    checkArguments(what, withValues(args), { pipeline: anything }, { choices, optional: { ...more, accessAs } });
    const plan = planOf(what, name, { identities: { pipeline }, access });
    super(Team.__pulumiType, name, {}, opts);
    const options = optionsOf(this, opts);
    const { classes } = new.target;
    this.group = new classes.Group(name, own, options);
    this.uid = this.group.uid;
    const { identities } = declarePlan({ name, top: this.uid, accessAs: as }, plan, options, classes);
    this.pipeline = identities[`${name}/pipeline`] as Identity;
    this.registerOutputs({ group: this.uid, pipeline: this.pipeline.uid });
  }

  /** Returns true for a component of this class, also one that another copy of the package constructed. */
  static override isInstance(obj: unknown): obj is Team {
    return hasType(obj, Team.__pulumiType);
  }
}
