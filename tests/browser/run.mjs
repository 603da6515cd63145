// The browser tests: the same pages of checks in Chromium, Firefox and
// WebKitGTK, and the demo page with axe-core and screenshots (artifacts/).
// Usage: node tests/browser/run.mjs [--engine NAME]... [--page TEXT] [--demo TEXT] [--dist FOLDER] [--no-demo]
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildSite } from '../../tools/build/site.mjs';
import { ensureBrowsers } from '../../tools/setup/system.mjs';
import { checkDemo } from './demo.mjs';
import { engines } from './engines/index.mjs';
import { addressOf, pages } from './pages.mjs';
import { startServer } from './server.mjs';

const project = fileURLToPath(new URL('../..', import.meta.url));
const { values: options } = parseArgs({ options: {
  engine: { type: 'string', multiple: true, default: Object.keys(engines) },
  page: { type: 'string' }, demo: { type: 'string' }, dist: { type: 'string', default: `${project}dist` }, 'no-demo': { type: 'boolean' },
} });
const secondsPerPage = 150;
// The engines end with this process, and they hear of its end only when it exits.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

const results = [];
const skips = [];

function record(prefix, found) {
  let failed = 0;
  for (const { name, error } of found) {
    results.push({ name: `${prefix}: ${name}`, error });
    if (error !== undefined && ++failed <= 5) console.log(`  FAILED ${prefix}: ${name}\n    ${error.replaceAll('\n', '\n    ')}`);
  }
  if (failed > 5) console.log(`  ... and ${failed - 5} more`);
  return failed;
}

/** Opens one page of checks and takes its report. */
async function runPage(browser, page, server, cdn, engine) {
  const { id, report } = server.expectReport(secondsPerPage);
  const url = addressOf(page, { origin: server.origin, cdnOrigin: cdn.origin, report: id, engine });
  const nested = page.context === 'worker' && page.threads;
  const opened = await (nested && browser.openAlone ? browser.openAlone(url) : browser.open(url));
  try {
    return (await report).results;
  } catch (error) {
    const state = await opened.evaluate("document.getElementById('state')?.textContent").catch((reason) => String(reason));
    return [{ name: 'the page reports', error: [error.message, state, ...opened.errors].join('\n') }];
  } finally {
    await opened.close();
  }
}

async function runEngine(name, program, server, cdn, site) {
  const { title, start, hasThreads } = engines[name];
  let browser = await start(program);
  console.log(`${title} ${browser.version}`);
  try {
    for (const page of pages) {
      if (options.page && !page.name.includes(options.page)) continue;
      const begin = Date.now();
      let found = await runPage(browser, page, server, cdn, name);
      const failures = found.filter(({ error }) => error !== undefined);
      if (!hasThreads && failures.length > 0) {
        // Without threads a page does the same each time it is loaded: what fails in
        // one browser and passes in a fresh one is the engine's own. (WebKitGTK 2.50
        // stopped a core with an access out of bounds in one page of some hundreds, in
        // code and on data that pass otherwise.) It is told of all the same.
        for (const { name: what, error } of failures) console.log(`  failed, tried again in a fresh browser: ${what}\n    ${error.split('\n')[0]}`);
        await browser.close();
        browser = await start(program);
        found = await runPage(browser, page, server, cdn, name);
      }
      const failed = record(`${title}, ${page.name}`, found);
      console.log(`  ${page.name}: ${found.length - failed} passed, ${failed} failed (${((Date.now() - begin) / 1000).toFixed(1)} s)`);
    }
    if (site && !options['no-demo']) {
      const begin = Date.now();
      // A fresh one, in which no worker was started before.
      await browser.close();
      browser = await start(program);
      const found = await checkDemo(browser, { engine: name, origin: server.origin, artifacts: `${project}artifacts`, wanted: options.demo });
      const failed = record(`${title}, demo`, found);
      console.log(`  demo page: ${found.length - failed} passed, ${failed} failed (${((Date.now() - begin) / 1000).toFixed(1)} s)`);
    }
  } finally {
    await browser.close();
  }
}

const site = options['no-demo'] ? null : await buildSite();
const folders = { dist: options.dist, page: `${project}tests/browser/page`, data: `${project}tests/data`, ...(site ? { demo: site } : {}) };
const server = await startServer(folders);
// Another port is another origin.
const cdn = await startServer(folders);
try {
  const browsers = ensureBrowsers(options.engine);
  for (const [name, { program, reason }] of Object.entries(browsers)) {
    if (!program) {
      skips.push(`${engines[name].title}: ${reason}`);
      continue;
    }
    try {
      await runEngine(name, program, server, cdn, site);
    } catch (error) {
      record(engines[name].title, [{ name: 'runs to its end', error: `${error.stack ?? error}` }]);
    }
  }
} finally {
  server.close();
  cdn.close();
}

for (const skip of skips) console.log(`skipped: ${skip}`);
const failed = results.filter(({ error }) => error !== undefined);
const summary = { name: 'browser', passed: results.length - failed.length, failed: failed.length, skipped: skips.length, skips };
mkdirSync(`${project}build/test-results`, { recursive: true });
writeFileSync(`${project}build/test-results/browser.json`, `${JSON.stringify({ ...summary, failures: failed }, null, 2)}\n`);
console.log(`browsers: ${summary.passed} passed, ${summary.failed} failed, ${summary.skipped} skipped`);
// Where everything can be installed, a skip means that something broke.
process.exitCode = summary.failed > 0 || (process.env.CI === 'true' && summary.skipped > 0) ? 1 : 0;
