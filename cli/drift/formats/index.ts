import { jsonText } from "../../text/json-text";
import { html } from "./html";
import { junit } from "./junit";
import { markdown } from "./markdown";
import { sarif } from "./sarif";
import type { Format } from "./shared";
import { text } from "./text";

/** Every format of the result, by its name in options. */
export const formats: Readonly<Record<string, Format>> = {
  text,
  json: (drift) => `${jsonText(drift, 2)}\n`,
  markdown,
  sarif,
  junit,
  html,
};
