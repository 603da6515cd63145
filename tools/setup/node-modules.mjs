// node_modules as package-lock.json says.
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { explain, progress, tryRun } from './report.mjs';

const project = fileURLToPath(new URL('../..', import.meta.url));

/** Runs npm ci in a folder whose node_modules is absent or older than its lock file. */
export async function ensureNodeModules(folder = project) {
  const lock = join(folder, 'package-lock.json');
  if (!existsSync(lock)) return;
  const installed = join(folder, 'node_modules/.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  progress(`installing npm packages in ${folder}`);
  const result = tryRun('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder });
  if (result.status !== 0) throw explain('npm ci', result.said, 'run "npm ci" by hand to see why.');
}
