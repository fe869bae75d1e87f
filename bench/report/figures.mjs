/** The median; NaN without values. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  if (sorted.length === 0) return NaN;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** A number with three significant digits: 0.12, 1.23, 12.3, 1,234. Integers are unchanged. */
export function figure(value) {
  if (!Number.isFinite(value)) return "–";
  if (Number.isInteger(value)) return value.toLocaleString("en-US");
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** The median, followed by every value if there are several. */
export function spread(values, unit = "") {
  if (values.length === 0) return "–";
  const all = values.length > 1 ? ` (${values.map(figure).join(", ")})` : "";
  return `${figure(median(values))}${unit}${all}`;
}

/** The seconds that a system took for an operation, in the order of the rounds. */
export function secondsOf(samples, system, operation) {
  return samples.filter((sample) => sample.system === system && sample.operation === operation).map(({ seconds }) => seconds);
}

/** Compares two systems' times of an operation round by round, because the samples of one round belong together. */
export function paired(samples, operation, left, right, compare = (a, b) => a / b) {
  const others = secondsOf(samples, right, operation);
  return secondsOf(samples, left, operation)
    .slice(0, others.length)
    .map((seconds, index) => compare(seconds, others[index]));
}

/** Seconds and the provider's requests of each operation. @param columns samples by the head of their column */
export function operationsTable(columns) {
  const operations = new Set(Object.values(columns).flatMap((samples) => samples.map(({ operation }) => operation)));
  const cell = (samples) => {
    if (samples.length === 0) return "–";
    return `${spread(samples.map(({ seconds }) => seconds))} s, ${figure(samples[0].requests.host)} requests`;
  };
  return table(
    ["operation", ...Object.keys(columns)],
    [...operations].map((operation) => [
      operation,
      ...Object.values(columns).map((samples) => cell(samples.filter((sample) => sample.operation === operation))),
    ]),
  );
}

/** A Markdown table. */
export function table(head, rows) {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/**
 * One row of the table of targets.
 * @param values the measurements; empty if there are none
 * @param isMet decides by their median
 * @param because why the target stays although it is not met, shown only then
 */
export function target(what, asked, values, isMet, because) {
  const isKnown = values.length > 0 && Number.isFinite(median(values));
  return {
    what,
    asked,
    measured: isKnown ? spread(values) : "not measured",
    isMet: isKnown ? isMet(median(values)) : undefined,
    because,
  };
}
