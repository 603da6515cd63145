// dist/: the published JavaScript, bundled by esbuild.
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { project } from './files.mjs';

const source = (name) => join(project, name);

/**
 * Cuts out of Emscripten's glue what it does to find its .wasm by itself. The
 * wrapper hands the module in, and bundlers that see the pattern
 * new URL('...', import.meta.url) look for a file that isn't there.
 */
const glue = {
  name: 'glue',
  setup(context) {
    context.onLoad({ filter: /build[\\/]wasm[\\/]core(-mt)?\.mjs$/ }, ({ path }) => {
      const contents = readFileSync(path, 'utf8')
        .replace(/new URL\("[^"]*",\s*import\.meta\.url\)\.href/g, '""')
        .replace(/import\.meta\.url/g, '""');
      if (/import\.meta/.test(contents)) throw new Error(`${path} still uses import.meta: adapt tools/build/bundle.mjs`);
      return { contents, loader: 'js' };
    });
  },
};

/** The command uses the package's own entries beside it instead of copies of them. */
const ownEntries = {
  name: 'own-entries',
  setup(context) {
    context.onResolve({ filter: /^onnx-reduce(\/threads)?$/ }, ({ path }) =>
      ({ path: path.endsWith('/threads') ? './threads.mjs' : './index.mjs', external: true }));
  },
};

const common = {
  absWorkingDir: project, bundle: true, minify: true, target: 'es2022', charset: 'ascii', legalComments: 'none',
  logLevel: 'warning', plugins: [glue], platform: 'neutral',
  // Paths for the type checker are none of the bundler's business.
  tsconfigRaw: {},
};

const outfile = (name) => join(project, 'dist', name);

/** The text of a bundled script, for entries that start it from a Blob. */
async function bundleText(entry) {
  const result = await build({ ...common, entryPoints: [source(entry)], format: 'esm', write: false });
  return result.outputFiles[0].text;
}

/** Marks the chunk of the threaded core as a file of its own, imported when needed. */
function chunk(extension) {
  return {
    name: 'core-mt-chunk',
    setup(context) {
      context.onResolve({ filter: /(^|\/)core-mt-inline\.js$/ }, ({ kind }) =>
        kind === 'dynamic-import' ? { path: `./core-mt-inline.${extension}`, external: true } : undefined);
    },
  };
}

/** Makes `import text from 'worker-text'` the worker script's source. */
function workerText(text) {
  return {
    name: 'worker-text',
    setup(context) {
      context.onResolve({ filter: /(^|\/)reduce-worker-text\.js$/ }, () => ({ path: 'reduce-worker-text', namespace: 'worker-text' }));
      context.onLoad({ filter: /.*/, namespace: 'worker-text' }, () => ({ contents: text, loader: 'text' }));
    },
  };
}

/** Writes every file of dist/ but the declarations. */
export async function bundle() {
  mkdirSync(join(project, 'dist'), { recursive: true });
  for (const name of ['core.wasm', 'core-mt.wasm']) copyFileSync(source(`build/wasm/${name}`), outfile(name));
  const jobs = [];
  const add = (entry, file, options) => jobs.push(build({ ...common, entryPoints: [source(entry)], outfile: outfile(file), ...options }));

  add('bindings/index.ts', 'index.mjs', { format: 'esm' });
  add('bindings/index.ts', 'index.cjs', { format: 'cjs' });
  add('bindings/index.ts', 'onnx-reduce.min.js', { format: 'iife', globalName: 'onnxReduce' });
  if (existsSync(source('bindings/workerd.ts'))) add('bindings/workerd.ts', 'workerd.mjs', { format: 'esm', external: ['./core.wasm'] });
  if (existsSync(source('bindings/threads.ts'))) {
    const hasThreads = existsSync(source('bindings/reduce-worker.ts'));
    const worker = hasThreads ? await bundleText('bindings/reduce-worker.ts') : '';
    const plugins = (extension) => [glue, chunk(extension), workerText(worker)];
    if (hasThreads) add('bindings/reduce-worker.ts', 'reduce-worker.mjs', { format: 'esm' });
    for (const [format, extension] of [['esm', 'mjs'], ['cjs', 'cjs']]) {
      // In CommonJS the chunk is required: import() fails in Jest's realms.
      const supported = { 'dynamic-import': format === 'esm' };
      add('bindings/threads.ts', `threads.${extension}`, { format, supported, plugins: plugins(extension) });
      if (hasThreads) add('bindings/core-mt-inline.ts', `core-mt-inline.${extension}`, { format, supported, plugins: plugins(extension) });
    }
  }
  if (existsSync(source('cli/main.ts'))) {
    add('cli/main.ts', 'cli.mjs', {
      format: 'esm', platform: 'node', target: 'node20', plugins: [glue, ownEntries],
      // protobufjs is CommonJS and asks for Node's modules by require().
      banner: { js: "#!/usr/bin/env node\nimport { createRequire as __createRequire } from 'node:module';\nconst require = __createRequire(import.meta.url);" },
    });
  }
  await Promise.all(jobs);
  chmodSync(outfile('cli.mjs'), 0o755);
}
