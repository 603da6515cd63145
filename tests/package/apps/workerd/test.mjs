import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { Skip } from '../../app.mjs';

const node = `node-${process.platform}-${process.arch}`;

export default {
  title: 'Cloudflare Workers',
  packages: ['miniflare@4.20260730.0', 'workerd'],
  slow: true,
  ownInstall: true,
  note: 'Workers compile no WebAssembly from bytes. The condition `workerd`, which wrangler sets, leads to entries that import `core.wasm` as a module. There is one thread, and `threadsReason` says why.',
  files: ['worker.mjs'],
  commands: ['npx wrangler deploy worker.mjs'],
  async run(app) {
    const installed = await app.check('installs', async () => {
      // Miniflare asks for a newer Node than this project does.
      if (!['linux', 'darwin'].includes(process.platform)) throw new Skip(`no package ${node}`);
      await app.install(['miniflare@4.20260730.0', `${node}@24.21.0`, app.tarball]);
    });
    if (!installed) return;
    await app.check('bundles', async () => {
      await app.tool('esbuild', 'bin/esbuild', ['worker.mjs', '--bundle', '--format=esm', '--conditions=workerd', '--external:*.wasm', '--outfile=dist/worker.mjs']);
      cpSync(join(app.folder, 'node_modules/onnx-reduce/dist/core.wasm'), join(app.folder, 'dist/core.wasm'));
    });
    await app.check('computes in workerd', async () => {
      const said = await app.node(['serve.mjs'], { program: join(app.folder, 'node_modules', node, 'bin/node'), seconds: 60 });
      const { threadsReason, ...answer } = JSON.parse(/^ANSWER (.*)$/m.exec(said)?.[1] ?? '{}');
      const expected = { type: 'float32', dims: [], data: [14], logSum: Math.fround(Math.log(6)), threads: 1 };
      if (JSON.stringify(answer) !== JSON.stringify(expected) || !/"workerd"/.test(threadsReason)) throw new Error(said);
    });
  },
};
