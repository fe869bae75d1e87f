import type { Answer, Asked } from "../support/fault-proxy";

export { FaultProxy as Gateway, type Answer } from "../support/fault-proxy";

/** What happens to one request: the answer to give, or `reset` to cut the connection. */
export type Interference = (asked: Asked, forward: () => Promise<Answer>) => Promise<Answer | "reset"> | Answer | "reset";
