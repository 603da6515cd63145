export default {
  title: 'Node.js, ES modules',
  packages: ['Node.js 20, 22, 24 and 26'],
  note: 'Node.js 20.16 or newer. Threads need nothing but the option; the process ends by itself, also when the reducer is not disposed of.',
  files: ['main.mjs'],
  commands: ['node main.mjs'],
  async run(app) {
    await app.check('runs', async () => app.expectNode(['main.mjs'], { threads: 2 }));
    await app.check('runs where code from strings is forbidden', async () => app.expectNode(['--disallow-code-generation-from-strings', 'main.mjs'], { threads: 2 }));
    await app.check('runs inside a worker thread', async () => app.expectNode(['-e', "new (require('node:worker_threads').Worker)('./main.mjs', { execArgv: [] });"], { threads: 2 }));
    await app.check('has its command', async () => {
      const said = await app.execute('npx', ['--no-install', 'onnx-reduce', '--help']);
      if (!/ReduceSumSquare/.test(said)) throw new Error(`the help says: ${said}`);
    });
  },
};
