import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export default {
  title: 'Script tag, from a CDN',
  packages: ['Chromium'],
  note: 'The script defines `onnxReduce`, with one thread. For threads take the modules; they work from another origin, too.',
  files: ['index.html', 'module.html'],
  commands: [],
  async run(app) {
    // A second origin stands in for the CDN, and sends what a CDN sends.
    for (const name of ['index.html', 'module.html']) {
      const path = join(app.folder, name);
      writeFileSync(path, readFileSync(path, 'utf8')
        .replaceAll('https://cdn.jsdelivr.net/npm/onnx-reduce@0.1/', `${app.cdn}/`)
        .replaceAll('https://cdn.jsdelivr.net/npm/onnx-reduce@0.1', `${app.cdn}/${app.manifest.jsdelivr.replace('./', '')}`));
    }
    await app.checkServed('.', { threads: undefined });
    await app.checkServed('.', { path: 'module.html' });
  },
};
