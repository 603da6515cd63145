// The declarations, compiled under the settings that users have.
const { spawnSync } = require('node:child_process');
const { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

const root = path.join(__dirname, '../..');
const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
let folder;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'onnx-reduce-types-'));
  const installed = path.join(folder, 'node_modules/onnx-reduce');
  mkdirSync(path.join(folder, 'node_modules/@types'), { recursive: true });
  mkdirSync(installed);
  cpSync(path.join(root, 'dist'), path.join(installed, 'dist'), { recursive: true });
  cpSync(path.join(root, 'package.json'), path.join(installed, 'package.json'));
  for (const name of ['ndarray', '@types/ndarray', 'onnxruntime-common', '@petamoriken']) {
    symlinkSync(path.join(root, 'node_modules', name), path.join(folder, 'node_modules', name), 'dir');
  }
  for (const name of ['usage', 'modern', 'peers']) cpSync(path.join(__dirname, 'types', `${name}.ts`), path.join(folder, `${name}.mts`));
  // The same file as CommonJS has no top-level await.
  writeFileSync(path.join(folder, 'common.cts'), `
    import { reduceSumSquare } from 'onnx-reduce';
    import threads = require('onnx-reduce/threads');
    const data: Float32Array = reduceSumSquare(new Float32Array(1)).data;
    void threads.createReducer().then((reducer) => reducer.reduceSumSquare(data).dims.length);`);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const node16 = { module: 'node16', moduleResolution: 'node16' };
const bundler = { module: 'esnext', moduleResolution: 'bundler' };

// Declarations are checked too: skipLibCheck is off.
test.each([
  ['node16, lib es2022', { ...node16, lib: ['es2022', 'dom'] }, ['usage.mts', 'common.cts']],
  ['node16, lib es2020 without dom', { ...node16, lib: ['es2020'] }, ['common.cts']],
  ['bundler, lib esnext, exact optional properties', { ...bundler, lib: ['esnext', 'dom'], exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true }, ['usage.mts', 'modern.mts']],
  ['beside other libraries', { ...bundler, lib: ['esnext', 'dom'], esModuleInterop: true, skipLibCheck: true }, ['peers.mts']],
])('%s', (_, options, files) => {
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({
    compilerOptions: { target: 'es2022', strict: true, noEmit: true, skipLibCheck: false, types: [], ...options }, files,
  }));
  const ended = spawnSync(process.execPath, [tsc, '-p', folder], { cwd: folder, encoding: 'utf8' });
  expect(ended.stdout).toBe('');
  expect(ended.status).toBe(0);
});
