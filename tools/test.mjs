// npm test: sets up, builds, and runs every test runner one after the other,
// going on after failures. The last line is "N passed, M failed".
// Usage: node tools/test.mjs [RUNNER...] [--all], where --all is for the slow apps, too
import { buildAll } from './build.mjs';
import { setup } from './setup.mjs';
import { SetupError, runTool } from './setup/report.mjs';
import { runners } from './test/runners.mjs';

const ci = process.env.CI === 'true';

function table(rows) {
  const lines = [['runner', 'passed', 'failed', 'skipped', 'seconds', ''], ...rows];
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => String(line[column]).length)));
  return lines.map((line) => line.map((cell, i) => (i === 0 || i === 5 ? String(cell).padEnd(widths[i]) : String(cell).padStart(widths[i]))).join('  ').trimEnd()).join('\n');
}

await runTool(async () => {
  const all = process.argv.includes('--all');
  const wanted = process.argv.slice(2).filter((name) => name !== '--all');
  const unknown = wanted.filter((name) => !runners.some((runner) => runner.name === name));
  if (unknown.length) throw new Error(`No runner is called ${unknown.join(', ')}; there are ${runners.map(({ name }) => name).join(', ')}.`);
  try {
    await setup();
    await buildAll();
  } catch (error) {
    // The last line is owed in any case.
    console.error(`\n${error instanceof SetupError ? error.message : error.stack}\n\n0 passed, 1 failed`);
    process.exitCode = 1;
    return;
  }

  const rows = [];
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const runner of runners) {
    if ((wanted.length && !wanted.includes(runner.name)) || !runner.exists()) continue;
    console.log(`\n=== ${runner.title} ===`);
    const start = Date.now();
    let counts;
    try {
      counts = await runner.run({ all });
    } catch (error) {
      console.error(error.message);
      counts = { passed: 0, failed: 1, skipped: 0, note: error.message.split('\n')[0] };
    }
    for (const skip of counts.skips ?? []) console.log(`skipped: ${typeof skip === 'string' ? skip : JSON.stringify(skip)}`);
    if (ci && counts.skipped > 0) {
      // Where everything can be installed, a skip means that something broke.
      counts = { ...counts, failed: counts.failed + counts.skipped, skipped: 0, note: `${counts.skipped} skipped, which counts as failed under CI=true` };
    }
    for (const key of Object.keys(sum)) sum[key] += counts[key];
    rows.push([runner.title, counts.passed, counts.failed, counts.skipped, ((Date.now() - start) / 1000).toFixed(1), counts.note ?? '']);
  }
  console.log(`\n${table(rows)}\n`);
  console.log(`${sum.passed} passed, ${sum.failed} failed${sum.skipped ? `, ${sum.skipped} skipped` : ''}`);
  if (sum.failed > 0 || sum.passed === 0) process.exitCode = 1;
});
