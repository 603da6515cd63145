// The package as strangers meet it: packed, installed into small apps, built
// with their tools, and run. The fast ones by default, every one with --all.
// Usage: node tests/package/run.mjs [--all] [--only NAME]... [--keep] | --docs
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { ensureNodeModules } from '../../tools/setup/node-modules.mjs';
import { ensureBrowsers } from '../../tools/setup/system.mjs';
import { startChromium } from '../browser/engines/chromium.mjs';
import { startServer } from '../browser/server.mjs';
import { App } from './app.mjs';
import { bundlersPage, checkApiReference } from './docs.mjs';
import { checkTarball, packAndInstall } from './tarball.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const project = fileURLToPath(new URL('../..', import.meta.url));
const { values: options } = parseArgs({ options: {
  all: { type: 'boolean' }, only: { type: 'string', multiple: true }, keep: { type: 'boolean' }, docs: { type: 'boolean' },
} });
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

/** Every app with what its test.mjs says. */
async function readApps() {
  const apps = [];
  for (const name of readdirSync(join(here, 'apps')).sort()) {
    if (!existsSync(join(here, 'apps', name, 'test.mjs'))) continue;
    apps.push({ name, ...(await import(`./apps/${name}/test.mjs`)).default });
  }
  return apps;
}

/** shared/report.js as one file, in each format. */
async function buildReport(folder) {
  for (const [file, format] of [['report.mjs', 'esm'], ['report.cjs', 'cjs'], ['report.iife.js', 'iife']]) {
    await build({ entryPoints: [join(here, 'shared/report.js')], bundle: true, format, globalName: 'reporter', outfile: join(folder, file), logLevel: 'error', target: 'es2022' });
  }
}

/** The app in a folder of its own, ready to run. */
function copyApp({ name, sources = [] }, workspace, reports) {
  const folder = join(workspace, name);
  // Some run what other apps consist of, elsewhere.
  for (const source of [...sources, name]) {
    cpSync(join(here, 'apps', source), folder, { recursive: true, filter: (path) => basename(path) !== 'test.mjs' });
  }
  for (const file of readdirSync(reports)) {
    for (const place of ['.', 'src', 'app']) if (existsSync(join(folder, place))) cpSync(join(reports, file), join(folder, place, file));
  }
  return folder;
}

async function main() {
  const apps = await readApps();
  const page = join(project, 'docs/bundlers.md');
  if (options.docs) return writeFileSync(page, bundlersPage(apps, here));
  const wanted = apps.filter(({ name, slow }) => (options.only ? options.only.includes(name) : options.all || !slow));

  await ensureNodeModules(here);
  // A space, as many a home folder has one.
  const root = mkdtempSync(join(tmpdir(), 'onnx-reduce apps '));
  process.once('exit', () => {
    if (!options.keep) rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  });
  const workspace = join(root, 'workspace');
  const { tarball, packed, installed } = await packAndInstall(workspace);
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  const reports = join(root, 'reports');
  mkdirSync(reports);
  await buildReport(reports);
  const { program, reason } = ensureBrowsers(['chromium']).chromium;
  if (!program) console.log(`pages are skipped: Chromium: ${reason}`);
  const browser = program ? await startChromium(program) : null;
  const cdn = await startServer({ npm: installed });

  const results = [];
  const skips = [];
  const surroundings = { all: options.all === true, installed, tarball, manifest, cdn: `${cdn.origin}/cdn/npm`, browser, log: (text) => console.log(text) };
  const runOne = async (name, body, more) => {
    const app = new App({ name, ...surroundings, ...more });
    const begin = Date.now();
    try {
      await body(app);
    } catch (error) {
      await app.check('is run to its end', () => Promise.reject(error));
    }
    const failed = app.results.filter(({ error }) => error !== undefined);
    console.log(`${name}: ${app.results.length - failed.length} passed, ${failed.length} failed${app.skips.length ? `, ${app.skips.length} skipped` : ''} (${((Date.now() - begin) / 1000).toFixed(1)} s)`);
    results.push(...app.results.map((result) => ({ ...result, name: `${name}: ${result.name}` })));
    skips.push(...app.skips);
  };
  try {
    if (!options.only || options.only.includes('tarball')) {
      await runOne('tarball', (app) => checkTarball(app, { tarball, packed }), { folder: workspace });
    }
    if (!options.only || options.only.includes('docs')) {
      await runOne('docs', async (app) => {
        await app.check('docs/bundlers.md shows the apps as they are', async () => {
          if (readFileSync(page, 'utf8') !== bundlersPage(apps, here)) throw new Error('it does not: run "npm run docs"');
        });
        await app.check('docs/api is made of the sources as they are', () => checkApiReference(app, join(root, 'api')));
      }, { folder: project });
    }
    for (const app of wanted) {
      // Apps that install their tools by themselves stand apart from the workspace.
      await runOne(app.name, app.run, { folder: copyApp(app, app.ownInstall ? root : workspace, reports) });
    }
  } finally {
    await browser?.close();
    cdn.close();
  }

  for (const skip of skips) console.log(`skipped: ${skip}`);
  const failed = results.filter(({ error }) => error !== undefined);
  const summary = { name: 'package', passed: results.length - failed.length, failed: failed.length, skipped: skips.length, skips };
  mkdirSync(join(project, 'build/test-results'), { recursive: true });
  writeFileSync(join(project, 'build/test-results/package.json'), `${JSON.stringify({ ...summary, failures: failed }, null, 2)}\n`);
  console.log(`apps: ${summary.passed} passed, ${summary.failed} failed, ${summary.skipped} skipped`);
  if (options.keep) console.log(`kept: ${root}`);
  process.exitCode = summary.failed > 0 || (process.env.CI === 'true' && summary.skipped > 0) ? 1 : 0;
}

await main();
