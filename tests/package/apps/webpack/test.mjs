import { cpSync } from 'node:fs';
import { join } from 'node:path';

export default {
  title: 'webpack 5',
  packages: ['webpack', 'webpack-cli'],
  note: 'No loader, no plugin, no experiment.',
  files: ['src/main.js', 'webpack.config.js'],
  commands: ['npx webpack'],
  async run(app) {
    await app.check('builds without a warning', async () => {
      const said = await app.tool('webpack', 'bin/webpack.js', []);
      // The size of a bundle with WebAssembly inside is what webpack remarks on.
      const warnings = said.split('\n').filter((line) => /^WARNING/.test(line) && !/size limit|performance|code splitting/i.test(line));
      if (warnings.length) throw new Error(said);
    });
    cpSync(join(app.folder, 'public'), join(app.folder, 'dist'), { recursive: true });
    await app.checkServed('dist');
    await app.checkStrict('dist');
  },
};
