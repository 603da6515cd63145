import { cpSync } from 'node:fs';
import { join } from 'node:path';

export default {
  title: 'Rollup',
  packages: ['rollup', '@rollup/plugin-node-resolve'],
  note: 'The plugin is what Rollup needs for any package. Under a policy that forbids blob: workers, copy `node_modules/onnx-reduce/dist/reduce-worker.mjs` beside the bundle: Rollup does not follow `new URL()`.',
  files: ['src/main.js', 'rollup.config.js'],
  commands: ['npx rollup -c'],
  async run(app) {
    await app.check('builds', async () => { await app.tool('rollup', 'dist/bin/rollup', ['-c']); });
    cpSync(join(app.folder, 'public'), join(app.folder, 'dist'), { recursive: true });
    await app.checkServed('dist');
  },
};
