import type { Node } from "./organization";

/** A visible row of the tree. `level` and `position` count from 1. */
export interface Row {
  readonly node: Node;
  readonly level: number;
  /** The position among its siblings. */
  readonly position: number;
  readonly siblings: number;
}

/** The rows of the tree, from top to bottom. @param open uids of the groups that show their content */
export function visibleRows(root: Node, open: ReadonlySet<string>): Row[] {
  const rowsOf = (node: Node, level: number, position: number, siblings: number): Row[] => {
    const children = open.has(node.uid) ? node.children : [];
    const below = children.flatMap((child, index) => rowsOf(child, level + 1, index + 1, children.length));
    return [{ node, level, position, siblings }, ...below];
  };
  return rowsOf(root, 1, 1, 1);
}
