// The declarations: checked and emitted by tsc, then gathered so that each entry
// has one file, and a twin for require().
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import { explain, tryRun } from '../setup/report.mjs';
import { project } from './files.mjs';

/** Type-checks everything; throws what tsc says. */
function compile() {
  const tsc = join(project, 'node_modules/typescript/bin/tsc');
  const result = tryRun(process.execPath, [tsc, '-p', join(project, 'tsconfig.build.json')], { cwd: project });
  if (result.status !== 0) throw explain('Type-checking', result.said, 'mend the sources as tsc says.');
}

/** Writes dist/*.d.ts and dist/*.d.cts. */
export async function buildTypes() {
  rmSync(join(project, 'build/types'), { recursive: true, force: true });
  compile();
  const input = {};
  for (const entry of ['index', 'threads']) {
    const path = join(project, `build/types/bindings/${entry}.d.ts`);
    if (existsSync(path)) input[entry] = path;
  }
  const dist = join(project, 'dist');
  for (const name of existsSync(dist) ? readdirSync(dist) : []) if (/\.d\.c?ts$/.test(name)) rmSync(join(dist, name));
  // One Tensor type for both entries: what they share goes into a third file.
  const bundle = await rollup({ input, plugins: [dts()], onwarn: (warning) => { throw new Error(warning.message); } });
  await bundle.write({ dir: dist, format: 'es', entryFileNames: '[name].d.ts', chunkFileNames: 'shared.d.ts' });
  await bundle.close();
  for (const name of readdirSync(dist).filter((file) => file.endsWith('.d.ts'))) {
    const text = readFileSync(join(dist, name), 'utf8');
    writeFileSync(join(dist, name.replace(/\.ts$/, '.cts')), text.replace(/(['"]\.\/[\w-]+)\.js(['"])/g, '$1.cjs$2'));
  }
}
