import { rmSync } from 'node:fs';
import { join } from 'node:path';

const serveDev = ['next', 'dist/bin/next', 'dev', '--hostname', '127.0.0.1', '--port', '0'];
const serve = ['next', 'dist/bin/next', 'start', '--hostname', '127.0.0.1', '--port', '0'];
const address = /(http:\/\/127\.0\.0\.1:\d+)/;
const env = { NEXT_TELEMETRY_DISABLED: '1' };

export default {
  title: 'Next.js',
  packages: ['next@16.4.6', 'react@19.3.1', 'react-dom@19.3.1'],
  slow: true,
  ownInstall: true,
  note: 'On the server and in the browser alike. `next.config.mjs` is for threads in the browser only.',
  files: ['app/page.jsx', 'app/client.jsx', 'next.config.mjs'],
  commands: ['npx next dev', 'npx next build', 'npx next start'],
  async run(app) {
    if (!await app.check('installs', () => app.install(['next@16.4.6', 'react@19.3.1', 'react-dom@19.3.1', app.tarball]))) return;
    await app.check('computes while it is developed, where React StrictMode mounts everything twice', () =>
      app.withServer(serveDev, address, (url) => app.expectPage(url, { threads: 2, own: '14,77 and twice mounted' }), { env }));
    const build = () => app.tool('next', 'dist/bin/next', ['build'], { env });
    await app.check('builds', async () => { await build(); });
    await app.check('computes on the server and in the browser', () => app.withServer(serve, address, (url) => app.expectPage(url, { threads: 2 }), { env }));
    rmSync(join(app.folder, 'next.config.mjs'));
    await app.check('builds without any configuration', async () => { await build(); });
    await app.check('computes without any configuration', () => app.withServer(serve, address, (url) => app.expectPage(url, { threads: 1 }), { env }));
  },
};
