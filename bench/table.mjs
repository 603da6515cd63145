// Tables, for the terminal and for Markdown.

const isNumeric = (text) => /^[-\d.<>=%]/.test(text) || text === '' || text === '-';

/** Columns that line up; numbers to the right. */
export function textTable(header, rows) {
  const all = [header, ...rows].map((row) => row.map(String));
  const widths = header.map((_, column) => Math.max(...all.map((row) => row[column].length)));
  const right = header.map((_, column) => column > 0 && all.slice(1).every((row) => isNumeric(row[column])));
  return all.map((row) => row.map((cell, column) =>
    (right[column] ? cell.padStart(widths[column]) : cell.padEnd(widths[column]))).join('  ').trimEnd()).join('\n');
}

/** The same as a Markdown table. */
export function markdownTable(header, rows) {
  const right = header.map((_, column) => column > 0 && rows.every((row) => isNumeric(String(row[column]).replaceAll('*', ''))));
  return [header, right.map((yes) => (yes ? '---:' : '---')), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** A number in three digits. */
export function digits3(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return '-';
  if (value >= 999.5) return Math.round(value).toString();
  if (value === 0) return '0';
  return value >= 0.001 ? Number(value.toPrecision(3)).toString() : value.toExponential(1);
}

/** Milliseconds, in the unit that reads best. */
export function time(ms) {
  if (ms === undefined || ms === null) return '-';
  if (ms >= 1) return `${digits3(ms)} ms`;
  return ms >= 0.001 ? `${digits3(ms * 1000)} us` : `${digits3(ms * 1e6)} ns`;
}

export const bytes = (count) => (count >= 1e6 ? `${digits3(count / 1e6)} MB` : `${digits3(count / 1000)} kB`);

/** Replaces what lies between `<!-- NAME: begin -->` and `<!-- NAME: end -->`; "begin" may be followed by words. */
export function replaceSection(text, name, content) {
  const begin = new RegExp(`<!-- ${name}: begin[^>]*-->`).exec(text);
  const to = text.indexOf(`<!-- ${name}: end -->`);
  if (begin === null || to < begin.index) throw new Error(`the markers "<!-- ${name}: begin -->" and "<!-- ${name}: end -->" are missing`);
  return `${text.slice(0, begin.index + begin[0].length)}\n${content.trim()}\n${text.slice(to)}`;
}
