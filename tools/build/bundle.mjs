// dist/: the published JavaScript, bundled by esbuild.
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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

/** The worker script, which is also part of the threads entry, to be started from its text. */
async function bundleWorker() {
  // As a function of its own: a classic script's names would be the worker's globals.
  const { outputFiles } = await build({ ...common, entryPoints: [source('bindings/worker.ts')], format: 'iife', write: false });
  return outputFiles[0].text;
}

/** The threads entry: chunks that are loaded when needed, and the worker's text. */
function threadsEntry(format, extension, worker) {
  return {
    name: 'threads-entry',
    setup(context) {
      context.onResolve({ filter: /\/core_mt_(inline|glue)\.js$/ }, ({ path, kind }) => (kind === 'dynamic-import'
        ? { path: `${path.replaceAll('_', '-').slice(0, -3)}.${extension}`, external: true } : undefined));
      context.onResolve({ filter: /\/worker\.txt$/ }, () => ({ path: 'worker.txt', namespace: 'worker-text' }));
      context.onLoad({ filter: /.*/, namespace: 'worker-text' }, () => ({ contents: worker, loader: 'text' }));
      if (format === 'cjs') {
        context.onResolve({ filter: /\/worker_file\.js$/ }, () => ({ path: source('bindings/worker_no_file.ts') }));
      }
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
  for (const name of ['workerd', 'workerd-threads']) {
    add(`bindings/${name.replace('-', '_')}.ts`, `${name}.mjs`, { format: 'esm', external: ['./core.wasm'] });
  }
  const worker = await bundleWorker();
  writeFileSync(outfile('reduce-worker.mjs'), worker);
  for (const [format, extension] of [['esm', 'mjs'], ['cjs', 'cjs']]) {
    add('bindings/core_mt_inline.ts', `core-mt-inline.${extension}`, { format });
    add('bindings/core_mt_glue.ts', `core-mt-glue.${extension}`, { format });
    add('bindings/threads.ts', `threads.${extension}`, {
      format, plugins: [glue, threadsEntry(format, extension, worker)],
      // require() where import() is CommonJS's: Jest, for one, knows no other.
      supported: { 'dynamic-import': format === 'esm' },
    });
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
