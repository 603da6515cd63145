// The example that needs no browser, run as its reader would run it. The
// others are built and looked at by hand.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadFormats } from './support/load_formats.mjs';

const { writeNpy } = await loadFormats();
const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'onnx-reduce example '));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
cpSync(join(root, 'examples/node-stream'), folder, { recursive: true, filter: (path) => !path.includes('node_modules') });
mkdirSync(join(folder, 'node_modules'));
symlinkSync(root, join(folder, 'node_modules/onnx-reduce'));

const norms = (file) => execFileSync(process.execPath, ['main.mjs', file], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 26 })
  .trim().split('\n').map(Number);

test('node-stream: the squared norms of a real table', () => {
  const result = norms(join(root, 'web/public/data/penguins.npy'));
  expect(result).toHaveLength(342);
  // 39.1, 18.7, 181 and 3750
  expect(result[0]).toBe(39.1 ** 2 + 18.7 ** 2 + 181 ** 2 + 3750 ** 2);
});

test.each([1, 2])('node-stream: blocks of version %d add up to the whole', (version) => {
  // 4 MB a block: three of them, the last one cut short.
  const rows = 2500;
  const data = Int32Array.from({ length: rows * 1000 }, (_, i) => (i % 1000 === 7 ? Math.floor(i / 1000) % 40000 : 0));
  writeFileSync(join(folder, 'x.npy'), writeNpy({ type: 'int32', dims: [rows, 10, 100], data }, { version }));
  expect(norms('x.npy')).toEqual(Array.from({ length: rows }, (_, row) => row * row));
});

test.each([
  ['cut.npy', writeNpy({ type: 'float32', dims: [4], data: new Float32Array(4) }).subarray(0, 140), 'the file ends 4 bytes too early'],
  ['noise.npy', Buffer.from('no array at all'), 'this is no .npy file'],
])('node-stream: %s fails in one sentence', (name, bytes, message) => {
  writeFileSync(join(folder, name), bytes);
  const { status, stderr } = spawnSync(process.execPath, ['main.mjs', name], { cwd: folder, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 1, stderr: `${name}: ${message}\n` });
});
