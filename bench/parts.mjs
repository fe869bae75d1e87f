import { list } from "./parts/list.mjs";
import { groupAccess, kinds, size, time } from "./parts/lives.mjs";
import { native } from "./parts/native.mjs";
import { requests } from "./parts/requests.mjs";
import { start } from "./parts/start.mjs";
import { state } from "./parts/state.mjs";
import { walk } from "./parts/walk.mjs";

/**
 * What `npm run bench` measures, by name, in the order of the page. A part has
 * - `title`
 * - `run({ quick, save })`, which resolves to its data and may save parts of it earlier
 * - `report(data)`: Markdown
 * - `targets(data)`: rows made by `target` of report/figures.mjs
 */
export const parts = { requests, time, state, size, kinds, "group-access": groupAccess, list, start, native, walk };
