import { findIn } from '../../programs.mjs';

export default {
  title: 'Deno',
  packages: ['deno@2.9.6'],
  slow: true,
  ownInstall: true,
  sources: ['node-esm'],
  note: 'The same program as under Node.js, from `node_modules` or from `npm:onnx-reduce`. No permission is needed but to read the package.',
  commands: ['deno run --allow-read main.mjs'],
  async run(app) {
    if (!await app.check('installs', () => app.install(['deno@2.9.6', app.tarball]))) return;
    await app.check('runs', () => app.expectNode(['run', '--allow-read', '--no-prompt', 'main.mjs'], { threads: 2 }, { program: findIn(app.folder, ['@deno', 'deno'], /^deno(\.exe)?$/), env: { DENO_NO_UPDATE_CHECK: '1' } }));
  },
};
