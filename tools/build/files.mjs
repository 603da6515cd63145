// Small file helpers of the build: what changed, and what is up to date.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's root folder. */
export const project = fileURLToPath(new URL('../..', import.meta.url));

/** Writes a file unless it already holds that text; says whether it did. */
export function writeIfChanged(path, content) {
  if (existsSync(path) && readFileSync(path).equals(Buffer.from(content))) return false;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return true;
}

/** Every file below a folder (or the file itself), sorted. */
export function filesBelow(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path).sort().filter((name) => name !== 'node_modules')
    .flatMap((name) => filesBelow(join(path, name)));
}

/** A hash over names and contents. */
function digest(paths) {
  const hash = createHash('sha256');
  for (const path of paths.flatMap((entry) => filesBelow(join(project, entry)))) {
    hash.update(`${relative(project, path)}\0`).update(readFileSync(path)).update('\0');
  }
  return hash.digest('hex');
}

/**
 * Runs `step` unless its inputs are those of its last success and its outputs
 * exist. Contents are compared, not times: a fresh clone or a touched file
 * costs nothing.
 * @returns {Promise<boolean>} whether it ran
 */
export async function whenChanged(name, inputs, outputs, step) {
  const stamp = join(project, `build/stamps/${name}`);
  const now = digest(inputs);
  const upToDate = existsSync(stamp) && readFileSync(stamp, 'utf8') === now && outputs.every((path) => existsSync(join(project, path)));
  if (upToDate) return false;
  await step();
  writeIfChanged(stamp, now);
  return true;
}
