import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false, skipDefaultLibCheck: true, noEmit: true, types: [] };
const modes = [
  // What older set-ups have: it knows no exports map.
  { module: 'commonjs', moduleResolution: 'node10', ignoreDeprecations: '5.0' },
  { module: 'node16', moduleResolution: 'node16' },
  { module: 'nodenext', moduleResolution: 'nodenext' },
  { module: 'esnext', moduleResolution: 'bundler' },
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
    const pairs = modes.flatMap((mode, i) => libraries.map((library, j) => ({ ...mode, ...library, often: i === j })));
    for (const { often, module, moduleResolution, name, files, console, ...options } of pairs) {
      // Each mode and each library once, every pair with the slow ones.
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
        const { codeOf, threaded } = await import('./out/main.js').catch((error) => {
          // The last lines of main.ts hand in what is wrong on purpose.
          if (error.code !== 'WRONG_KEEPDIMS') throw error;
          return {};
        });
        const { default: { sum } } = await import('./out/require.cjs');
        if (sum[0] !== 25) throw new Error(String(sum));
      `);
      await app.node(['run.mjs']);
    });
  },
};
