import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

export default {
  title: 'Jest',
  packages: ['jest'],
  note: 'Jest gives each test file globals of its own; typed arrays made by them are taken as any others. No transform, no mock, no setting.',
  files: ['sum.test.js'],
  commands: ['npx jest'],
  async run(app) {
    const jest = join(dirname(require.resolve('jest/package.json')), 'bin/jest.js');
    // The app's folder is its root; haste would walk up to other packages.
    await app.check('require() in a test', async () => { await app.node([jest, '--rootDir', app.folder, 'sum.test.js']); });
    await app.check('import in a test', async () => {
      await app.node(['--experimental-vm-modules', '--no-warnings', jest, '--rootDir', app.folder, '--testMatch', '**/esm.test.mjs', '--transform', '{}']);
    });
  },
};
