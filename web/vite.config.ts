// The demo page's build: static files that run under any path and without a
// network, from the built package in ../dist.

import { createReadStream, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const require = createRequire(import.meta.url);
const here = dirname(fileURLToPath(import.meta.url));

/** The folder of an installed package, whatever its exports map hides. */
function packageFolder(name: string): string {
  const found = (require.resolve.paths(name) ?? []).map((folder) => join(folder, name))
    .find((folder) => statSync(folder, { throwIfNoEntry: false })?.isDirectory());
  if (!found) throw new Error(`${name} is not installed: run npm ci`);
  return found;
}

/** Files that are loaded by address at run time, so they keep their names and pass through untouched. */
const verbatim: Record<string, () => string> = {
  'coi-serviceworker.js': () => join(packageFolder('coi-serviceworker'), 'coi-serviceworker.js'),
  ...Object.fromEntries(['ort.wasm.min.mjs', 'ort-wasm-simd-threaded.mjs', 'ort-wasm-simd-threaded.wasm']
    .map((file) => [`ort/${file}`, () => join(packageFolder('onnxruntime-web'), 'dist', file)])),
};

const mimeTypes: Record<string, string> = { js: 'text/javascript', mjs: 'text/javascript', wasm: 'application/wasm' };

function verbatimFiles(): Plugin {
  return {
    name: 'verbatim-files',
    generateBundle() {
      for (const [fileName, path] of Object.entries(verbatim)) {
        this.emitFile({ type: 'asset', fileName, source: readFileSync(path()) });
      }
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const name = new URL(request.url ?? '/', 'http://localhost').pathname.slice(1);
        const path = verbatim[name];
        if (!path) return next();
        response.setHeader('content-type', mimeTypes[name.split('.').at(-1)!]!);
        createReadStream(path()).pipe(response);
      });
    },
  };
}

// Shared memory, and with it threads, exists only in an isolated page.
const headers = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

export default defineConfig({
  root: here,
  base: './',
  plugins: [verbatimFiles()],
  resolve: {
    alias: [
      { find: /^onnx-reduce$/, replacement: join(here, '../dist/index.mjs') },
      { find: /^onnx-reduce\/threads$/, replacement: join(here, '../dist/threads.mjs') },
    ],
  },
  worker: { format: 'es' },
  build: { outDir: join(here, 'dist'), emptyOutDir: true, target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  server: { headers },
  preview: { headers },
});
