export default {
  title: 'Node.js, CommonJS',
  files: ['main.cjs'],
  commands: ['node main.cjs'],
  async run(app) {
    await app.check('runs', async () => app.expectNode(['main.cjs'], { threads: 2 }));
  },
};
