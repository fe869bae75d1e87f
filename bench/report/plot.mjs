const width = 640;
const height = 400;
const margin = { left: 70, right: 190, top: 40, bottom: 50 };
const colours = ["#1f6feb", "#8b949e", "#d1242f", "#1a7f37", "#bf8700"];

/**
 * A plot of growth with logarithmic axes: a straight line is a power of N.
 * @param series `[{ name, points: [[x, y], ...] }]`; points without a positive value are omitted
 * @returns {string} the text of an SVG file
 */
export function growthPlot({ title, unit, series }) {
  const shown = series
    .map(({ name, points }, index) => ({
      name,
      points: points.filter(([x, y]) => x > 0 && y > 0),
      colour: colours[index % colours.length],
    }))
    .filter(({ points }) => points.length > 0);
  const all = shown.flatMap(({ points }) => points);
  const x = scale(
    all.map(([value]) => value),
    margin.left,
    width - margin.right,
  );
  const y = scale(
    all.map(([, value]) => value),
    height - margin.bottom,
    margin.top,
  );
  const parts = [
    text(margin.left, 22, title, 'font-size="15" font-weight="bold"'),
    text((margin.left + width - margin.right) / 2, height - 12, "resources", 'text-anchor="middle"'),
    text(margin.left - 8, 22, unit, 'text-anchor="end"'),
    ...x.ticks.map((value) => line(x.at(value), margin.top, x.at(value), height - margin.bottom)),
    ...x.ticks.map((value) => text(x.at(value), height - margin.bottom + 18, label(value), 'text-anchor="middle"')),
    ...y.ticks.map((value) => line(margin.left, y.at(value), width - margin.right, y.at(value))),
    ...y.ticks.map((value) => text(margin.left - 8, y.at(value) + 4, label(value), 'text-anchor="end"')),
    ...shown.flatMap((one, index) => curve(one, x, y, index)),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="white"/>
${parts.join("\n")}
</svg>
`;
}

/** The decades that cover all values. */
function scale(values, from, to) {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))));
  const ticks = Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index));
  return { ticks, at: (value) => round(from + ((Math.log10(value) - low) / (high - low)) * (to - from)) };
}

function curve({ name, points, colour }, x, y, index) {
  const path = points.map(([a, b]) => `${x.at(a)},${y.at(b)}`).join(" ");
  const dots = points.map(([a, b]) => `<circle cx="${x.at(a)}" cy="${y.at(b)}" r="3" fill="${colour}"/>`);
  const place = margin.top + 14 + index * 18;
  return [
    `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>`,
    ...dots,
    text(width - margin.right + 12, place, name, `fill="${colour}"`),
  ];
}

function line(x1, y1, x2, y2) {
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="#d0d7de"/>`;
}

function text(x, y, content, attributes) {
  return `<text x="${x}" y="${y}" ${attributes}>${content.replace(/&/g, "&amp;").replace(/</g, "&lt;")}</text>`;
}

const label = (value) => value.toLocaleString("en-US", { maximumSignificantDigits: 1 });
const round = (value) => Math.round(value * 10) / 10;
