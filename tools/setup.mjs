// Gets everything the build and the tests need that is not there yet: the
// compilers, Emscripten and the npm packages. A second run takes no time.
// Usage: node tools/setup.mjs [--browsers]
import { fileURLToPath } from 'node:url';
import { ensureEmscripten } from './setup/emscripten.mjs';
import { ensureNodeModules } from './setup/node-modules.mjs';
import { ensureBrowsers, ensureNativeTools } from './setup/system.mjs';
import { runTool } from './setup/report.mjs';

export { emscriptenEnv, ensureEmscripten } from './setup/emscripten.mjs';
export { ensureBrowsers, ensureNativeTools } from './setup/system.mjs';
export { ensureNodeModules } from './setup/node-modules.mjs';

/** All that the build needs; `native` adds what the native tests need. */
export async function setup({ native = true } = {}) {
  await ensureNodeModules();
  ensureNativeTools({ native });
  await ensureEmscripten();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runTool(async () => {
    await setup();
    if (process.argv.includes('--browsers')) {
      for (const [name, { reason }] of Object.entries(ensureBrowsers())) if (reason) process.stderr.write(`[setup] ${name}: ${reason}\n`);
    }
  });
}
