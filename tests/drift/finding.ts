import type { Finding } from "../../drift/finding";

/** A finding; `over` has what a test is about. */
export function finding(over: Partial<Finding> = {}): Finding {
  return {
    class: "unmanaged",
    severity: "high",
    kind: "iam:RoleBinding",
    uid: "r/g/b",
    path: "acme/shop",
    message: "It is there.",
    ...over,
  };
}
