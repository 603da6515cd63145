// Builds everything that is published: sets up, generates, compiles the cores,
// bundles, and makes the declarations. Only what has changed is done again.
import { fileURLToPath } from 'node:url';
import { whenChanged } from './build/files.mjs';
import { printSizes } from './build/sizes.mjs';
import { buildWasm } from './build/wasm.mjs';
import { generate } from './generate.mjs';
import { setup } from './setup.mjs';
import { progress, runTool } from './setup/report.mjs';

const scripts = ['bindings', 'formats', 'cli', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'tools/build'];

/** Brings build/wasm and dist/ up to date; says whether anything was done. */
export async function buildAll() {
  generate();
  buildWasm();
  const bundled = await whenChanged('bundle', [...scripts, 'build/wasm/core.mjs', 'build/wasm/core-mt.mjs'], ['dist/index.mjs', 'dist/index.cjs'], async () => {
    progress('bundling dist/');
    // Imported only now: a fresh clone has no npm packages until setup() ran.
    const { bundle } = await import('./build/bundle.mjs');
    await bundle();
  });
  const typed = await whenChanged('types', scripts.filter((path) => path !== 'tools/build').concat('tools/build/types.mjs'), ['dist/index.d.ts', 'dist/index.d.cts'], async () => {
    progress('checking types and writing declarations');
    const { buildTypes } = await import('./build/types.mjs');
    await buildTypes();
  });
  return bundled || typed;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runTool(async () => {
    await setup({ native: false });
    await buildAll();
    printSizes();
  });
}
