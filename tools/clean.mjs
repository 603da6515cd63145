// Deletes everything that the build makes. With --all also the npm packages;
// the Emscripten in the user's cache folder stays, as other clones use it.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('..', import.meta.url));
const made = ['build', 'dist', 'web/dist', 'bindings/generated', 'artifacts'];
const packages = ['node_modules', 'web/node_modules', 'bench/node_modules'];
for (const name of [...made, ...(process.argv.includes('--all') ? packages : [])]) {
  rmSync(join(project, name), { recursive: true, force: true });
}
