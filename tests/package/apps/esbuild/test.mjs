import { cpSync } from 'node:fs';
import { join } from 'node:path';

export default {
  title: 'esbuild',
  packages: ['esbuild'],
  note: '`--splitting` keeps the threaded core a file of its own, which is loaded only where there are threads. Without it, or as an IIFE, all is in one file. Under a policy that forbids blob: workers, copy `node_modules/onnx-reduce/dist/reduce-worker.mjs` beside the bundle: esbuild does not follow `new URL()`.',
  files: ['src/main.js'],
  commands: ['npx esbuild src/main.js --bundle --format=esm --splitting --minify --outdir=dist'],
  async run(app) {
    await app.check('builds', async () => {
      await app.tool('esbuild', 'bin/esbuild', ['src/main.js', '--bundle', '--format=esm', '--splitting', '--minify', '--outdir=dist']);
    });
    cpSync(join(app.folder, 'public'), join(app.folder, 'dist'), { recursive: true });
    await app.checkServed('dist');
    await app.check('builds an IIFE', async () => {
      const said = await app.tool('esbuild', 'bin/esbuild', ['src/main.js', '--bundle', '--format=iife', '--log-override:empty-import-meta=silent', '--outfile=iife/main.js']);
      if (/warning/i.test(said)) throw new Error(said);
    });
    cpSync(join(app.folder, 'public'), join(app.folder, 'iife'), { recursive: true });
    await app.checkServed('iife');
  },
};
