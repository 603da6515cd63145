import { rmSync } from 'node:fs';
import { join } from 'node:path';

export default {
  title: 'Vite',
  packages: ['vite'],
  note: 'No configuration, for build and dev server alike. `vite.config.js` is for threads in the dev server only; in production your server sends these headers.',
  files: ['src/main.js', 'vite.config.js'],
  commands: ['npx vite build', 'npx vite'],
  async run(app) {
    await app.check('dev server with the headers', async () => {
      await app.withServer(['vite', 'bin/vite.js', '--port', '0', '--host', '127.0.0.1'], /(http:\/\/127\.0\.0\.1:\d+)/, (url) => app.expectPage(url, { threads: 2 }));
    });
    rmSync(join(app.folder, 'vite.config.js'));
    await app.check('dev server without any configuration', async () => {
      await app.withServer(['vite', 'bin/vite.js', '--port', '0', '--host', '127.0.0.1', '--force'], /(http:\/\/127\.0\.0\.1:\d+)/, (url) => app.expectPage(url, { threads: 1 }));
    });
    await app.check('builds', async () => { await app.tool('vite', 'bin/vite.js', ['build']); });
    await app.checkServed('dist');
    await app.check('builds for any path', async () => { await app.tool('vite', 'bin/vite.js', ['build', '--base', './', '--outDir', 'anywhere']); });
    await app.checkStrict('anywhere');
  },
};
