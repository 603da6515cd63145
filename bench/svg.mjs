// Line plots as SVG text, readable on light and dark pages.

const kWidth = 720;
const kHeight = 420;
const kMargin = { left: 64, right: 16, top: 40, bottom: 52 };
// Okabe and Ito's colours, told apart by the colour-blind as well.
const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9'];

const escaped = (text) => String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const round = (value) => Number(value.toFixed(1));

/** A scale that maps [low, high] to [from, to], by logarithms of `base` if there is one. */
function scale({ low, high, base }, from, to) {
  const at = (value) => (base ? Math.log(value) : value);
  return (value) => from + ((at(value) - at(low)) / (at(high) - at(low))) * (to - from);
}

function text(x, y, content, attributes = '') {
  return `<text x="${round(x)}" y="${round(y)}" ${attributes}>${escaped(content)}</text>`;
}

/**
 * @param {object} plot
 * @param {string} plot.title
 * @param {{ label: string, low: number, high: number, base?: number, ticks: [number, string][] }} plot.x the same for plot.y
 * @param {{ name: string, points: [number, number][], dashed?: boolean, colour: number }[]} plot.series
 */
export function linePlot({ title, x, y, series }) {
  const right = kWidth - kMargin.right;
  const bottom = kHeight - kMargin.bottom;
  const toX = scale(x, kMargin.left, right);
  const toY = scale(y, bottom, kMargin.top);
  const parts = [];
  for (const [value, label] of y.ticks) {
    const at = round(toY(value));
    parts.push(`<path class="grid" d="M${kMargin.left} ${at}H${right}"/>`, text(kMargin.left - 8, at + 4, label, 'text-anchor="end"'));
  }
  for (const [value, label] of x.ticks) {
    const at = round(toX(value));
    parts.push(`<path class="grid" d="M${at} ${kMargin.top}V${bottom}"/>`, text(at, bottom + 18, label, 'text-anchor="middle"'));
  }
  parts.push(text((kMargin.left + right) / 2, kHeight - 10, x.label, 'text-anchor="middle"'));
  parts.push(text(0, 0, y.label, `text-anchor="middle" transform="translate(16 ${(kMargin.top + bottom) / 2}) rotate(-90)"`));
  parts.push(text(kMargin.left, 22, title, 'class="title"'));
  series.forEach(({ points, dashed, colour }) => {
    const path = points.map(([px, py], i) => `${i ? 'L' : 'M'}${round(toX(px))} ${round(toY(py))}`).join('');
    parts.push(`<path d="${path}" fill="none" stroke="${colours[colour % colours.length]}" stroke-width="2"${dashed ? ' stroke-dasharray="6 4"' : ''}/>`);
  });
  const top = kMargin.top + 14;
  series.forEach(({ name, dashed, colour }, i) => {
    const at = top + i * 18;
    parts.push(`<path d="M${right - 250} ${at - 4}h28" stroke="${colours[colour % colours.length]}" stroke-width="2"${dashed ? ' stroke-dasharray="6 4"' : ''}/>`,
      text(right - 214, at, name));
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${kWidth} ${kHeight}" role="img" aria-label="${escaped(title)}">
<style>
  svg { background: #fff; font: 13px system-ui, sans-serif; }
  text { fill: #222; } .title { font-weight: 600; font-size: 15px; } .grid { stroke: #ddd; fill: none; }
  @media (prefers-color-scheme: dark) { svg { background: #16181d; } text { fill: #ddd; } .grid { stroke: #333842; } }
</style>
${parts.join('\n')}
</svg>
`;
}
