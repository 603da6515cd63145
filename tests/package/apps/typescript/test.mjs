import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false, skipDefaultLibCheck: true, noEmit: true, types: [] };
// `often` are the libraries to try when there is no time for every pair.
const modes = [
  // What older set-ups have: it knows no exports map.
  { module: 'commonjs', moduleResolution: 'node10', ignoreDeprecations: '5.0', often: [0] },
  { module: 'node16', moduleResolution: 'node16', often: [1, 2] },
  { module: 'nodenext', moduleResolution: 'nodenext', often: [3] },
  { module: 'esnext', moduleResolution: 'bundler', often: [0, 2] },
];
const libraries = [
  { name: 'lib es2022, dom', target: 'es2022', lib: ['es2022', 'dom'], files: ['main.ts'] },
  { name: 'lib es2020, no dom', target: 'es2020', lib: ['es2020'], files: ['main.ts'], console: true },
  { name: 'lib esnext, dom', target: 'esnext', lib: ['esnext', 'dom'], files: ['main.ts', 'using.ts'] },
  { name: 'lib esnext and the types of Node', target: 'esnext', lib: ['esnext'], types: ['node'], files: ['main.ts', 'using.ts'] },
];

export default {
  title: 'TypeScript',
  packages: ['typescript'],
  note: 'Types come with the package, for `import` and for `require()`, and compile under every `moduleResolution` that knows `exports`, strictly, with and without `lib: ["dom"]` and `lib: ["esnext"]`. `using` and Float16Array need `lib: ["esnext"]`.',
  files: ['main.ts', 'using.ts', 'require.cts'],
  commands: ['npx tsc --strict --module nodenext main.ts'],
  async run(app) {
    writeFileSync(join(app.folder, 'console.d.ts'), 'declare const console: { log(...values: unknown[]): void };\n');
    const pairs = modes.flatMap((mode) => libraries.map((library, i) => ({ ...mode, ...library, often: mode.often.includes(i) })));
    for (const { often, module, moduleResolution, name, files, console, ...options } of pairs) {
      if (often || app.all) {
        const commonjs = /^node(16|next)$/.test(moduleResolution) ? ['require.cts'] : [];
        await app.check(`${moduleResolution}, ${name}`, async () => {
          writeFileSync(join(app.folder, 'tsconfig.json'), JSON.stringify({
            compilerOptions: { ...strict, module, moduleResolution, ...options }, files: [...files, ...commonjs, ...(console ? ['console.d.ts'] : [])],
          }));
          await app.tool('typescript', 'bin/tsc', ['-p', '.']);
        });
      }
    }
    await app.check('compiled, it runs', async () => {
      writeFileSync(join(app.folder, 'tsconfig.json'), JSON.stringify({
        compilerOptions: { ...strict, module: 'nodenext', target: 'es2022', lib: ['es2022', 'dom'], noEmit: false, outDir: 'out' }, files: ['main.ts', 'require.cts'],
      }));
      await app.tool('typescript', 'bin/tsc', ['-p', '.']);
      writeFileSync(join(app.folder, 'run.mjs'), `
        // The last lines of main.ts hand in what is wrong on purpose.
        const { code } = await import('./out/main.js').catch((error) => error);
        if (code !== 'WRONG_KEEPDIMS') throw new Error(String(code));
        const { default: { sum } } = await import('./out/require.cjs');
        if (sum[0] !== 25) throw new Error(String(sum));
      `);
      await app.node(['run.mjs']);
    });
  },
};
