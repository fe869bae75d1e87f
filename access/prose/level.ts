import type { Level } from "../capabilities";

/** The level of a role in words, after "can" or "allows to". */
export const levelInWords: Readonly<Record<Level, string>> = {
  control: "decide who has access",
  unknown: "unknown, the role cannot be read",
  grant: "give others access that it has, or take access away",
  write: "change things other than access",
  read: "read",
  none: "nothing, the role has no capabilities",
};
