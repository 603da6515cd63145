// The same small programs under another release of Node.js, which npm's
// packages carry one for each platform.
import { join } from 'node:path';
import { Skip } from './app.mjs';

/** The test of one release. */
export function nodeRelease(version) {
  return {
    title: `Node.js ${version.split('.')[0]}`,
    hidden: true,
    slow: true,
    ownInstall: true,
    sources: ['node-esm', 'node-cjs'],
    async run(app) {
      const name = `node-${process.platform}-${process.arch}`;
      const installed = await app.check('installs', async () => {
        if (!['linux', 'darwin'].includes(process.platform)) throw new Skip(`no package ${name}`);
        await app.install([`${name}@${version}`, app.tarball]);
      });
      if (!installed) return;
      const program = join(app.folder, 'node_modules', name, 'bin/node');
      await app.check('is the release it should be', async () => {
        const said = (await app.execute(program, ['--version'])).trim();
        if (said !== `v${version}`) throw new Error(`it is ${said}`);
      });
      await app.check('import', () => app.expectNode(['main.mjs'], { threads: 2 }, { program }));
      await app.check('require()', () => app.expectNode(['main.cjs'], { threads: 2 }, { program }));
      await app.check('where code from strings is forbidden', () => app.expectNode(['--disallow-code-generation-from-strings', 'main.mjs'], { threads: 2 }, { program }));
    },
  };
}
