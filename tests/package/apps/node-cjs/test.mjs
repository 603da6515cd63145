export default {
  title: 'Node.js, CommonJS',
  packages: ['Node.js 20, 22, 24 and 26'],
  files: ['main.cjs'],
  commands: ['node main.cjs'],
  async run(app) {
    await app.check('runs', async () => app.expectNode(['main.cjs'], { threads: 2 }));
  },
};
