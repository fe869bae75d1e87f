/** The sends of a create so far, as far as they decide the next step. */
export type Sent = "nothing sent" | "batch rejected" | "already exists" | "in doubt";

/** The result of a look-up. */
export interface LookUp {
  /** How many objects have the natural key; of a kind without one: how many equal objects a create of this program may have made. */
  readonly holders: number;
  /** Whether one of them was provably made by a create of this resource. */
  readonly isOwn: boolean;
}

/** The rights of a resource over an object that exists. */
export interface Rights {
  readonly hasKey: boolean;
  readonly mayAdopt: boolean;
  /** Whether only the answer to a create shows all of its values. */
  readonly hasOnce: boolean;
}

/** The next step of a create. */
export type Step =
  | "send"
  | "send alone"
  | "send again if nothing was made"
  | "take back"
  | "adopt"
  | "fail: rejected"
  | "fail: key taken"
  | "fail: may be another's"
  | "fail: value lost";

/** The next step of a create. */
// See docs/decisions/0022-create-is-one-decision-table.md.
export function decide({ holders, isOwn }: LookUp, sent: Sent, { hasKey, mayAdopt, hasOnce }: Rights): Step {
  if (isOwn) return hasOnce ? "fail: value lost" : "take back";
  if (holders > 0) {
    if (hasOnce && !hasKey) return "fail: value lost";
    if (mayAdopt) return "adopt";
    return sent === "in doubt" ? "fail: may be another's" : "fail: key taken";
  }
  switch (sent) {
    case "nothing sent":
      return "send";
    case "batch rejected":
      return "send alone";
    case "already exists":
      return "fail: rejected";
    case "in doubt":
      return "send again if nothing was made";
  }
}
