import { rooms } from "../support/rooms";
import { circlesIn, importGraph } from "./import-graph";

test("no files of the product import each other in a circle", () => {
  const graph = importGraph(rooms);
  expect(graph.get("sdk/index.ts")).toContain("sdk/kinds/index.ts");
  expect(circlesIn(graph).map((circle) => circle.join(" -> "))).toEqual([]);
});

test("one shortest circle is reported for each group of files", () => {
  const graph = new Map([
    ["a", ["b"]],
    ["b", ["c", "d"]],
    ["c", ["a"]],
    ["d", ["c", "e"]],
    ["e", []],
    ["f", ["f"]],
  ]);
  expect(circlesIn(graph)).toEqual([
    ["a", "b", "c", "a"],
    ["f", "f"],
  ]);
});
