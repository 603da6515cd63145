import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export default {
  title: 'Cloudflare Workers, bundled',
  hidden: true,
  async run(app) {
    await app.check('bundles under the condition "workerd", with the .wasm as a module beside it', async () => {
      await app.tool('esbuild', 'bin/esbuild', ['worker.mjs', '--bundle', '--format=esm', '--conditions=workerd', '--external:*.wasm', '--outfile=out.mjs']);
      const text = readFileSync(join(app.folder, 'out.mjs'), 'utf8');
      const imports = text.match(/import \w+ from "[^"]*core\.wasm"/g) ?? [];
      if (imports.length !== 2) throw new Error(`the bundle imports core.wasm ${imports.length} times, not once for each entry`);
      // Workers give a WebAssembly.Module for the import; Node, from bytes.
      writeFileSync(join(app.folder, 'node.mjs'), `${text.replace(/import (\w+) from "[^"]*core\.wasm";/g, (_, name) =>
        `const ${name} = new WebAssembly.Module(process.getBuiltinModule('node:fs').readFileSync(${JSON.stringify(join(app.installed, 'dist/core.wasm'))}));`)}\nawait check();\n`);
      await app.expectNode(['node.mjs'], { threads: 1 });
    });
  },
};
