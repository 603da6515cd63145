export default {
  title: 'Parcel',
  packages: ['parcel@2.16.4'],
  slow: true,
  ownInstall: true,
  note: 'Parcel reads a package\'s `exports`, and so finds `onnx-reduce/threads`, once package.json says so. It writes an import map into the page, whose hash a strict policy must name in `script-src`.',
  files: ['src/main.js', 'package.json'],
  commands: ['npx parcel build src/index.html'],
  async run(app) {
    if (!await app.check('installs', () => app.install(['parcel@2.16.4', app.tarball]))) return;
    await app.check('builds', async () => { await app.tool('parcel', 'lib/bin.js', ['build', 'src/index.html', '--no-cache']); });
    await app.checkServed('dist');
    await app.check('builds for any path', async () => { await app.tool('parcel', 'lib/bin.js', ['build', 'src/index.html', '--no-cache', '--public-url', './', '--dist-dir', 'anywhere']); });
    await app.checkStrict('anywhere', { set: 'isolated-csp-inline' });
  },
};
