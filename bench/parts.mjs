import { drift } from "./parts/drift.mjs";
import { emulator } from "./parts/emulator.mjs";
import { exporting } from "./parts/export.mjs";
import { groupAccess } from "./parts/group-access.mjs";
import { growth } from "./parts/growth.mjs";
import { kinds } from "./parts/kinds.mjs";
import { list } from "./parts/list.mjs";
import { native } from "./parts/native.mjs";
import { requests } from "./parts/requests.mjs";
import { start } from "./parts/start.mjs";
import { state } from "./parts/state.mjs";
import { checkpointsOff, defaults, latency, saving } from "./parts/time.mjs";
import { walk } from "./parts/walk.mjs";

/**
 * What `npm run bench` measures, by name, in the order of the page. A part has
 * - `title`
 * - `run({ quick, save })`, which resolves to its data and may save parts of it earlier
 * - `report(data, results)`: Markdown
 * - `targets(data, results)`: rows made by `target` of report/figures.mjs
 * - optionally `plots(data)`: SVG text by file name
 */
export const parts = {
  requests,
  defaults,
  saving,
  "checkpoints-off": checkpointsOff,
  latency,
  kinds,
  "group-access": groupAccess,
  growth,
  list,
  drift,
  export: exporting,
  state,
  start,
  native,
  emulator,
  walk,
};
