// The demo page: web/dist, built by Vite.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureNodeModules } from '../setup/node-modules.mjs';
import { SetupError, explain, progress, tryRun } from '../setup/report.mjs';
import { project, whenChanged } from './files.mjs';

/** Builds web/dist by Vite when something changed; answers with its folder, or null when there is no page. */
export async function buildSite() {
  const web = join(project, 'web');
  if (!existsSync(join(web, 'index.html'))) return null;
  await ensureNodeModules(web);
  const vite = ['web/node_modules', 'node_modules'].map((folder) => join(project, folder, 'vite/bin/vite.js')).find(existsSync);
  if (!vite) throw new SetupError('Vite, which builds the demo page, is not installed.', 'run "npm ci" and then this command again.');
  const inputs = ['web/index.html', 'web/src', 'web/style', 'web/public', 'web/package.json', 'web/vite.config.mjs', 'web/vite.config.ts', 'vite.config.mjs', 'vite.config.ts',
    'formats', 'bindings', 'dist/index.mjs', 'dist/threads.mjs', 'package-lock.json'];
  await whenChanged('site', inputs, ['web/dist/index.html'], async () => {
    progress('building the demo page');
    const result = tryRun(process.execPath, [vite, 'build'], { cwd: web });
    if (result.status !== 0) throw explain('Building the demo page', result.said, 'mend web/ as Vite says.');
  });
  return join(web, 'dist');
}
