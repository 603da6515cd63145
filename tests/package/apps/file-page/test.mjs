import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export default {
  title: 'A page from the disk (file://), as in Electron',
  packages: ['Chromium'],
  note: 'A browser loads no modules and fetches nothing from the disk; the script needs neither.',
  files: ['index.html'],
  commands: [],
  async run(app) {
    mkdirSync(join(app.folder, 'node_modules'), { recursive: true });
    symlinkSync(app.installed, join(app.folder, 'node_modules/onnx-reduce'));
    await app.check('computes', () => app.expectPage(pathToFileURL(join(app.folder, 'index.html')).href, {}));
  },
};
