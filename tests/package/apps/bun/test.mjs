import { findIn } from '../../programs.mjs';

export default {
  title: 'Bun',
  packages: ['bun@1.4.4'],
  slow: true,
  ownInstall: true,
  sources: ['node-esm', 'node-cjs'],
  note: 'The same programs as under Node.js.',
  commands: ['bun main.mjs'],
  async run(app) {
    if (!await app.check('installs', () => app.install(['bun@1.4.4', app.tarball]))) return;
    const program = findIn(app.folder, ['@oven', 'bun'], /^bun(\.exe)?$/);
    await app.check('import', () => app.expectNode(['main.mjs'], { threads: 2 }, { program }));
    await app.check('require()', () => app.expectNode(['main.cjs'], { threads: 2 }, { program }));
  },
};
