// Native programs inside of npm packages for one platform each.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The program of that name in a scope, of whose packages npm installs only those
 * for this platform, or in a package into which an install script moved it.
 */
export function findIn(folder, places, name) {
  for (const place of places) {
    for (const entry of readdirSync(join(folder, 'node_modules', place), { recursive: true, withFileTypes: true })) {
      if (entry.isFile() && name.test(entry.name)) return join(entry.parentPath ?? entry.path, entry.name);
    }
  }
  throw new Error(`no program ${name} in ${places.join(' or ')}`);
}
