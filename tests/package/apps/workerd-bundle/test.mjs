import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export default {
  title: 'Cloudflare Workers, bundled',
  hidden: true,
  async run(app) {
    await app.check('bundles under the condition "workerd", with the .wasm as a module beside it', async () => {
      await app.tool('esbuild', 'bin/esbuild', ['worker.mjs', '--bundle', '--format=esm', '--conditions=workerd', '--external:*.wasm', '--outfile=out.mjs']);
      const text = readFileSync(join(app.folder, 'out.mjs'), 'utf8');
      if (!/from "[^"]*core\.wasm"/.test(text)) throw new Error('the bundle imports no core.wasm');
      // Workers give a WebAssembly.Module for the import; Node, from bytes.
      writeFileSync(join(app.folder, 'node.mjs'), `${text.replace(/import (\w+) from "[^"]*core\.wasm";/, (_, name) =>
        `import { readFileSync } from 'node:fs';\nconst ${name} = new WebAssembly.Module(readFileSync(${JSON.stringify(join(app.installed, 'dist/core.wasm'))}));`)}\ncheck();\n`);
      await app.expectNode(['node.mjs'], {});
    });
  },
};
