import { fleet } from "./parts/fleet.mjs";
import { list } from "./parts/list.mjs";
import { groupAccess, kinds, size, time } from "./parts/lives.mjs";
import { native } from "./parts/native.mjs";
import { pipelines } from "./parts/pipelines.mjs";
import { rehearse } from "./parts/rehearse.mjs";
import { requests } from "./parts/requests.mjs";
import { start } from "./parts/start.mjs";
import { state } from "./parts/state.mjs";
import { trace } from "./parts/trace.mjs";
import { walk } from "./parts/walk.mjs";

/**
 * The measurements of `npm run bench`, by name, in the order of the page. A part has
 * - `title`
 * - `run({ quick, save })`, which resolves to its data and may save parts of it earlier
 * - `report(data)`, which returns Markdown
 * - `targets(data)`, which returns rows made by `target` of report/figures.mjs
 */
export const parts = {
  requests,
  time,
  state,
  pipelines,
  size,
  kinds,
  "group-access": groupAccess,
  fleet,
  list,
  start,
  native,
  trace,
  rehearse,
  walk,
};
