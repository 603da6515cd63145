// The command line, run as people run it: a process of its own, real files,
// what it prints and the code it ends with.
import { execFile, spawn } from 'node:child_process';
import { chmodSync, existsSync, lstatSync, mkdtempSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bitsOf, loadFormats, packBits } from './support/load_formats.mjs';

const { arrayOver, inOrder, readNpy, readTensorProto, writeNpy, writeTensorProto } = await loadFormats();
const root = fileURLToPath(new URL('../..', import.meta.url));
const cli = join(root, 'dist/cli.mjs');
const conformance = join(root, 'tests/data/conformance');

// A space in the folder's name, as many people have one.
const folder = mkdtempSync(join(tmpdir(), 'onnx reduce '));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const at = (name) => join(folder, name);

/** Runs the command; answers with its exit code, output and error output. */
function run(args, { input, binary = false, node = [] } = {}) {
  return new Promise((resolve) => {
    const options = { cwd: folder, encoding: 'buffer', timeout: 50000, maxBuffer: 1 << 28 };
    const child = execFile(process.execPath, [...node, cli, ...args], options, (error, out, err) =>
      resolve({ code: error ? error.code : 0, out: binary ? new Uint8Array(out) : out.toString(), err: err.toString() }));
    // A command that fails may not have read its input.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
  });
}

const json = async (...args) => {
  const { code, out, err } = await run([...args, '--json']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out);
};

const ramp = Float32Array.of(1, 2, 3, 4, 5, 6);
writeFileSync(at('x.npy'), writeNpy({ type: 'float32', dims: [2, 3], data: ramp }));
writeFileSync(at('x.pb'), writeTensorProto({ type: 'float32', dims: [2, 3], data: ramp }));
writeFileSync(at('half.npy'), writeNpy({ type: 'bfloat16', dims: [2], data: Uint16Array.of(0x4040, 0x4080) }));
writeFileSync(at('axes.npy'), writeNpy({ type: 'int64', dims: [1], data: BigInt64Array.of(0n) }));
writeFileSync(at('bytes.npy'), Buffer.concat([Buffer.from([0x93]), Buffer.from('NUMPY\x01\x00\x76\x00', 'latin1'),
  Buffer.from("{'descr': '|u1', 'fortran_order': False, 'shape': (1,), }".padEnd(117) + '\n\x01')]));
writeFileSync(at('cut.npy'), readFileSync(at('x.npy')).subarray(0, 140));
writeFileSync(at('noise.pb'), Buffer.from('this is no tensor'));
writeFileSync(at('empty.npy'), '');
mkdirSync(at('folder.npy'));

const folderOf = (name) => join(conformance, name);
const model = join(folderOf('test_reduce_sum_square_do_not_keepdims_example'), 'model.onnx');
const modelInputs = [0, 1].map((i) => join(folderOf('test_reduce_sum_square_do_not_keepdims_example'), `test_data_set_0/input_${i}.pb`));

describe('help', () => {
  test.each([['--help'], ['-h'], ['reducesumsquare', '--help']])('%s %s', async (...args) => {
    const { code, out, err } = await run(args.filter(Boolean));
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const word of ['Usage: onnx-reduce', 'ReduceSumSquare', 'ReduceLogSum', '--axes', '--no-keepdims', '--noop', '--opset',
      '--type', '--threads', '--output', '--json', 'Exit codes', 'bfloat16']) expect(out).toContain(word);
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThan(81);
  });

  test('--version is the package\'s', async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(await run(['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' });
  });
});

describe('what a person sees', () => {
  const withoutTime = (out) => out.replace(/^time .*\n/m, '');

  test('a reduction', async () => {
    const { code, out, err } = await run(['ReduceSumSquare', 'x.npy', '--axes', '1', '--no-keepdims']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(withoutTime(out)).toBe([
      'ReduceSumSquare of x.npy: axes [1], no keepdims',
      'input   float32 [2, 3] (24 bytes)',
      'output  float32 [2]',
      '[14  77]', ''].join('\n'));
    expect(out).toMatch(/\ntime {4}[\d.]+ (us|ms|s) \([\d.]+ (us|ms|s) the first time\), [\d.]+ (bytes|[kMG]B)\/s, 1 thread\n$/);
  });

  test('a scalar, opset, noop and an empty result', async () => {
    expect(withoutTime((await run(['logsum', 'x.pb', '--no-keepdims', '--opset', '13'])).out)).toBe([
      'ReduceLogSum of x.pb: axes all, no keepdims, opset 13', 'input   float32 [2, 3] (24 bytes)', 'output  float32 []',
      '3.0445225', ''].join('\n'));
    expect(withoutTime((await run(['sumsquare', 'x.npy', '--noop'])).out)).toBe([
      'ReduceSumSquare of x.npy: axes none (noop), keepdims', 'input   float32 [2, 3] (24 bytes)', 'output  float32 [2, 3]',
      '[[ 1   4   9]', ' [16  25  36]]', ''].join('\n'));
    writeFileSync(at('none.npy'), writeNpy({ type: 'float32', dims: [0, 3], data: new Float32Array(0) }));
    expect((await run(['sumsquare', 'none.npy', '--axes', '1'])).out).toContain('output  float32 [0, 1]\n[]\n');
    expect((await run(['logsum', 'none.npy', '--axes', '0'])).out).toContain('output  float32 [1, 3]\n[[-Infinity  -Infinity  -Infinity]]\n');
  });

  test('long axes are shortened in the middle, lines wrapped, columns aligned', async () => {
    const data = Int32Array.from({ length: 9 * 8 * 20 }, (_, i) => i % 1000);
    writeFileSync(at('long.npy'), writeNpy({ type: 'int32', dims: [9, 8, 20], data }));
    const { out } = await run(['sumsquare', 'long.npy', '--noop']);
    const lines = withoutTime(out).split('\n').slice(3);
    expect(lines.slice(0, 9)).toEqual([
      '[[[     0       1       4  ...     289     324     361]',
      '  [   400     441     484  ...    1369    1444    1521]',
      '  [  1600    1681    1764  ...    3249    3364    3481]',
      '  ...',
      '  [ 10000   10201   10404  ...   13689   13924   14161]',
      '  [ 14400   14641   14884  ...   18769   19044   19321]',
      '  [ 19600   19881   20164  ...   24649   24964   25281]]',
      '',
      ' [[ 25600   25921   26244  ...   31329   31684   32041]',
    ]);
    expect(lines).toContain(' ...');
    const row = await run(['sumsquare', 'long.npy', '--axes', '0,1', '--no-keepdims']);
    for (const line of row.out.split('\n')) expect(line.length).toBeLessThan(81);
    expect(row.out).toMatch(/\[[\d ]+\n [\d ]+\n? ?[\d ]*\]/);
  });

  test('many short axes are shown as one row', async () => {
    writeFileSync(at('deep.npy'), writeNpy({ type: 'int32', dims: new Array(12).fill(2), data: new Int32Array(4096).fill(1) }));
    expect((await run(['sumsquare', 'deep.npy', '--noop'])).out).toContain('\n[1  1  1  ...  1  1  1]\n');
  });
});

describe('operator names and axes', () => {
  test.each(['ReduceSumSquare', 'reducesumsquare', 'SumSquare', 'SUMSQUARE', 'reduce_sum_square', 'sum-square'])('%s', async (name) => {
    const { operator, output } = await json(name, 'x.npy');
    expect(operator).toBe('ReduceSumSquare');
    expect(output).toEqual({ type: 'float32', dims: [1, 1], data: [91] });
  });

  test.each([
    [['--axes', '-1'], [14, 77]], [['--axes=-1'], [14, 77]], [['--axes', '1'], [14, 77]], [['--axes', '0'], [17, 29, 45]],
    [['--axes', '0,-1'], [91]], [['--axes', '-2, 1'], [91]], [['--axes='], [91]], [['--axes', ''], [91]], [[], [91]],
    [['--axes', '0,0'], [17, 29, 45]],
  ])('%j', async (args, data) => {
    expect((await json('sumsquare', 'x.npy', ...args, '--no-keepdims')).output.data).toEqual(data);
  });
});

describe('--json', () => {
  test('one object with everything in it', async () => {
    const result = await json('logsum', 'x.npy', '--axes', '1', '--opset', '18');
    expect(result).toEqual({
      operator: 'ReduceLogSum', file: 'x.npy', input: { type: 'float32', dims: [2, 3] },
      keepdims: true, noopWithEmptyAxes: false, axes: [1], opset: 18, threads: 1,
      milliseconds: expect.any(Number), firstMilliseconds: expect.any(Number), bytesPerSecond: expect.any(Number),
      output: { type: 'float32', dims: [2, 1], data: [expect.any(Number), expect.any(Number)] },
    });
    expect(result.output.data.map(Math.fround)).toEqual([Math.log(6), Math.log(15)].map(Math.fround));
  });

  test('what numbers in JSON cannot say is text', async () => {
    writeFileSync(at('special.npy'), writeNpy({ type: 'float64', dims: [5], data: Float64Array.of(NaN, Infinity, 0, -1, 1) }));
    expect((await json('logsum', 'special.npy', '--noop')).output.data).toEqual(['NaN', 'Infinity', '-Infinity', 'NaN', 0]);
    writeFileSync(at('long.npy'), writeNpy({ type: 'uint64', dims: [2], data: BigUint64Array.of(4294967295n, 3n) }));
    expect((await json('sumsquare', 'long.npy', '--noop')).output).toEqual({ type: 'uint64', dims: [2], data: ['18446744065119617025', '9'] });
  });

  test('a large result is whole', async () => {
    const data = Float32Array.from({ length: 200000 }, (_, i) => i % 100);
    writeFileSync(at('wide.npy'), writeNpy({ type: 'float32', dims: [200000], data }));
    const { output } = await json('sumsquare', 'wide.npy', '--noop');
    expect(output.data).toEqual(Array.from(data, (value) => value * value));
  });
});

describe('files', () => {
  const inputs = { type: 'int32', dims: [2, 3, 2], data: Int32Array.from({ length: 12 }, (_, i) => i + 1) };
  test.each([1, 2, 3].flatMap((version) => ['<', '>'].flatMap((byteOrder) => [true, false].map((fortranOrder) => ({ version, byteOrder, fortranOrder })))))(
    'npy $version $byteOrder Fortran $fortranOrder', async (options) => {
      const name = `order${Object.values(options).join('').replace(/[<>]/g, (char) => (char === '<' ? 'l' : 'b'))}.npy`;
      writeFileSync(at(name), writeNpy(inputs, options));
      const { output } = await json('sumsquare', name, '--axes', '1', '--no-keepdims');
      expect(output).toEqual({ type: 'int32', dims: [2, 2], data: [35, 56, 251, 308] });
    });

  test('standard input, either kind', async () => {
    for (const name of ['x.npy', 'x.pb']) {
      const { code, out, err } = await run(['sumsquare', '-', '--json'], { input: readFileSync(at(name)) });
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(JSON.parse(out)).toMatchObject({ file: 'standard input', output: { data: [91] } });
    }
  });

  test('16-bit floats: float16 has a dtype, bfloat16 is asked for', async () => {
    const { output } = await json('sumsquare', 'half.npy', '--type', 'bfloat16');
    expect(output).toEqual({ type: 'bfloat16', dims: [1], data: [25] });
    writeFileSync(at('f16.npy'), writeNpy({ type: 'float16', dims: [2], data: Uint16Array.of(0x4200, 0x4400) }));
    expect((await json('sumsquare', 'f16.npy', '--type', 'Float16')).output).toEqual({ type: 'float16', dims: [1], data: [25] });
  });

  test('-o writes what is asked for, and prints no values', async () => {
    const { code, out, err } = await run(['sumsquare', 'x.npy', '--axes', '1', '-o', 'y.npy']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('output  float32 [2, 1] written to y.npy');
    // The line of the time may hold any digits.
    expect(out.replace(/^time .*$/m, '')).not.toContain('14');
    expect(readNpy(readFileSync(at('y.npy')))).toMatchObject({ type: 'float32', dims: [2, 1] });
    expect([...readNpy(readFileSync(at('y.npy'))).data]).toEqual([14, 77]);

    expect(await json('sumsquare', 'x.npy', '--output', 'y.pb')).toMatchObject({ written: 'y.pb', output: { type: 'float32', dims: [1, 1] } });
    expect([...readTensorProto(readFileSync(at('y.pb'))).data]).toEqual([91]);

    const piped = await run(['sumsquare', 'x.npy', '-o', '-'], { binary: true });
    expect({ code: piped.code, err: piped.err }).toEqual({ code: 0, err: '' });
    expect([...readNpy(piped.out).data]).toEqual([91]);
  });

  test('-o replaces a file in one step, keeps its mode, and follows links', async () => {
    writeFileSync(at('old.npy'), 'old');
    chmodSync(at('old.npy'), 0o640);
    symlinkSync('old.npy', at('link.npy'));
    expect((await run(['sumsquare', 'x.npy', '-o', 'link.npy'])).code).toBe(0);
    expect([...readNpy(readFileSync(at('old.npy'))).data]).toEqual([91]);
    expect(statSync(at('old.npy')).mode & 0o777).toBe(0o640);
    expect((await run(['sumsquare', 'x.npy', '-o', 'x2.npy'])).code).toBe(0);
    // Its own input is fine, too: it has been read by then.
    expect((await run(['sumsquare', 'x2.npy', '-o', 'x2.npy'])).code).toBe(0);
    expect([...readNpy(readFileSync(at('x2.npy'))).data]).toEqual([8281]);
  });

  test('-o follows a link to where nothing is yet, and refuses links that lead nowhere', async () => {
    mkdirSync(at('far/away'), { recursive: true });
    symlinkSync('../new.npy', at('far/away/second.npy'));
    symlinkSync('far/away/second.npy', at('first.npy'));
    expect((await run(['sumsquare', 'x.npy', '-o', 'first.npy'])).code).toBe(0);
    for (const link of ['first.npy', 'far/away/second.npy']) expect(lstatSync(at(link)).isSymbolicLink()).toBe(true);
    expect([...readNpy(readFileSync(at('far/new.npy'))).data]).toEqual([91]);
    symlinkSync('circle.npy', at('circle.npy'));
    symlinkSync('nowhere/x.npy', at('astray.npy'));
    const reasons = { 'circle.npy': 'its links lead in a circle', 'astray.npy': 'there is no such file or folder' };
    for (const [file, reason] of Object.entries(reasons)) {
      expect(await run(['sumsquare', file])).toEqual({ code: 1, out: '', err: `onnx-reduce: cannot read ${file}: ${reason}\n` });
      expect(await run(['sumsquare', 'x.npy', '-o', file])).toEqual({ code: 1, out: '', err: `onnx-reduce: cannot write ${file}: ${reason}\n` });
      expect(lstatSync(at(file)).isSymbolicLink()).toBe(true);
    }
  });

  test('after a failure the old file is there and nothing else', async () => {
    writeFileSync(at('kept.npy'), 'kept');
    const before = readdirSync(folder).sort();
    expect((await run(['sumsquare', 'x.npy', '--axes', '7', '-o', 'kept.npy'])).code).toBe(1);
    expect((await run(['sumsquare', 'x.npy', '-o', 'folder.npy'])).code).toBe(1);
    expect(readFileSync(at('kept.npy'), 'utf8')).toBe('kept');
    expect(readdirSync(folder).sort()).toEqual(before);
  });

  const fullDevice = existsSync('/dev/full') ? test : test.skip;
  fullDevice('a device is written to, not replaced', async () => {
    symlinkSync('/dev/full', at('full.npy'));
    const { code, err } = await run(['sumsquare', 'x.npy', '-o', 'full.npy']);
    expect({ code, err }).toEqual({ code: 1, err: 'onnx-reduce: cannot write full.npy: the disk is full\n' });
    expect(statSync('/dev/full').isCharacterDevice()).toBe(true);
  });
});

describe('wrong usage: exit code 2, one sentence', () => {
  test.each([
    [[], 'an operator or "run" is missing'],
    [['ReduceMedian', 'x.npy'], 'there is no operator "ReduceMedian"; there are ReduceSumSquare'],
    [['Reduce', 'x.npy'], 'there is no operator "Reduce"'],
    [['sumsquare', ''], 'the name of a file is empty (onnx'],
    [['run', ''], 'the name of a file is empty (onnx'],
    [['run', 'model.onnx', 'x.npy', ''], 'the name of a file is empty (onnx'],
    [['sumsquare', 'x.npy', '--axes', '--', '-1'], "option '--axes' argument is ambiguous (onnx"],
    [['sumsquare'], 'needs the name of a file'],
    [['sumsquare', 'x.npy', 'y.npy'], '"y.npy" is one more'],
    [['sumsquare', 'x.npy', '--axis', '0'], "unknown option '--axis'"],
    [['sumsquare', 'x.npy', '--axes'], "option '--axes <value>' argument missing"],
    [['sumsquare', 'x.npy', '--axes', 'a'], '--axes takes integers'],
    [['sumsquare', 'x.npy', '--axes', '1.5'], '--axes takes integers'],
    [['sumsquare', 'x.npy', '--axes', '0,,1'], '--axes takes integers'],
    [['sumsquare', 'x.npy', '--axes', '99999999999999999999'], '--axes takes integers'],
    [['sumsquare', 'x.npy', '--opset', '0'], '--opset takes a positive integer, not "0"'],
    [['sumsquare', 'x.npy', '--opset', '1e1'], '--opset takes a positive integer'],
    [['sumsquare', 'x.npy', '--threads', '0'], '--threads takes a positive integer'],
    [['sumsquare', 'x.npy', '--type', 'int8'], 'there is no type "int8"; there are float32'],
    [['sumsquare', 'x.npy', '--json=yes'], "option '--json' does not take an argument"],
    [['sumsquare', 'x.npy', '-o', 'y.txt'], '--output takes a name that ends in .npy or .pb, not "y.txt"'],
    [['sumsquare', 'x.npy', '-o', ''], '--output needs the name of a file'],
    [['sumsquare', 'x.npy', '-o', '-', '--json'], 'both write to standard output'],
    [['sumsquare', 'model.onnx'], 'use "onnx-reduce run model.onnx'],
    [['run'], 'needs the name of a model'],
    [['run', model, '--axes', '0'], '--axes cannot be given to "run"'],
    [['run', model], 'takes 2 inputs (data, axes), and 0 are given'],
    [['run', model, '-', '-'], 'standard input can be only one'],
  ])('%j', async (args, message) => {
    const { code, out, err } = await run(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^onnx-reduce: [^\n]* \(onnx-reduce --help tells more\)\n$/);
    expect(err).toContain(message);
  });
});

describe('wrong data: exit code 1, one sentence', () => {
  test.each([
    [['sumsquare', 'missing.npy'], 'cannot read missing.npy: there is no such file'],
    [['sumsquare', 'folder.npy'], 'cannot read folder.npy: it is a folder'],
    [['sumsquare', 'empty.npy'], 'empty.npy is broken or of another kind at byte 0: expected the magic bytes'],
    [['sumsquare', 'cut.npy'], 'at byte 140: expected 4 bytes for each element of shape (2, 3), 12 bytes more, found the end of the file'],
    [['sumsquare', 'bytes.npy'], "at byte 20: expected one of the dtypes f2, f4, f8, i4, u4, i8, u8 (or u2 or V2 holding the bits of a 16-bit float), found '|u1' (uint8)"],
    [['sumsquare', 'noise.pb'], 'noise.pb is broken or of another kind at byte 0: expected'],
    [['sumsquare', 'half.npy'], 'expected the type float16 or bfloat16'],
    [['sumsquare', 'x.npy', '--type', 'float64'], 'expected data of type float64'],
    [['sumsquare', 'x.pb', '--type', 'float64'], 'expected a TensorProto of type float64, found float32'],
    [['sumsquare', 'x.npy', '--axes', '2'], '2'],
    [['sumsquare', 'x.npy', '--axes', '-3'], '-3'],
    [['sumsquare', 'x.npy', '--noop', '--opset', '13'], 'noop'],
    [['logsum', 'axes.npy', '--opset', '28'], 'int64'],
    [['sumsquare', 'x.npy', '-o', 'nowhere/y.npy'], 'cannot write nowhere/y.npy: there is no such file or folder'],
    [['run', 'missing.onnx'], 'cannot read missing.onnx'],
    [['run', 'x.pb'], 'x.pb is broken or of another kind at byte'],
    [['run', model, modelInputs[0], modelInputs[0]], 'the model declares its input axes as int64 of shape [1]'],
    [['run', model, 'x.npy', modelInputs[1]], 'declares its input data as float32 of shape [3, 2, 2], and x.npy holds float32 of shape [2, 3]'],
  ])('%j', async (args, message) => {
    const { code, out, err } = await run(args);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(/^onnx-reduce: [^\n]+\n$/);
    expect(err).toContain(message);
  });
});

describe("ONNX's node tests through \"run\"", () => {
  const cases = readdirSync(conformance).filter((name) => name.startsWith('test_'));
  test.each(cases)('%s', async (name) => {
    const data = join(conformance, name, 'test_data_set_0');
    const inputs = readdirSync(data).filter((file) => file.startsWith('input_')).sort().map((file) => join(data, file));
    const { code, err } = await run(['run', join(conformance, name, 'model.onnx'), ...inputs, '-o', `${name}.pb`]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const expected = readTensorProto(new Uint8Array(readFileSync(join(data, 'output_0.pb'))));
    const result = readTensorProto(new Uint8Array(readFileSync(at(`${name}.pb`))));
    expect(result).toMatchObject({ type: expected.type, dims: expected.dims });
    expect(result.data).toHaveLength(expected.data.length);
    result.data.forEach((value, i) => {
      if (Number.isFinite(expected.data[i])) expect(Math.abs(value - expected.data[i])).toBeLessThanOrEqual(1e-7 + 1e-3 * Math.abs(expected.data[i]));
      else expect(value).toBe(expected.data[i]);
    });
  });

  test('an input may be an .npy or standard input; the result has the model\'s name', async () => {
    const data = readTensorProto(new Uint8Array(readFileSync(modelInputs[0])));
    writeFileSync(at('data.npy'), writeNpy(data, { fortranOrder: true }));
    const { code, err } = await run(['run', model, 'data.npy', '-', '-o', 'named.pb'], { input: readFileSync(modelInputs[1]) });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const expected = inOrder(data.dims, data.data, data.strides);
    const result = readTensorProto(new Uint8Array(readFileSync(at('named.pb'))));
    expect(result.name).toBe('reduced');
    expect(result.data[0]).toBe(expected[0] ** 2 + expected[2] ** 2);
  });
});

describe('the process', () => {
  test('the package needs no code generation from strings', async () => {
    const node = ['--disallow-code-generation-from-strings'];
    expect((await run(['sumsquare', 'x.npy'], { node })).code).toBe(0);
    expect((await run(['run', model, ...modelInputs], { node })).code).toBe(0);
  });

  test('several threads give the same bits', async () => {
    const bits = Array.from({ length: 300000 }, (_, i) => BigInt(0x3f000000 + ((i * 7919) % 0x1000000)));
    const data = arrayOver('float32', packBits(bits, 4));
    writeFileSync(at('many.npy'), writeNpy({ type: 'float32', dims: [300, 1000], data }));
    const results = [];
    for (const threads of ['1', '2', 'auto']) {
      const { code, out, err } = await run(['sumsquare', 'many.npy', '--axes', '1', '--threads', threads, '-o', `many${threads}.npy`]);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out).toMatch(/\d+ threads?( \(.+\))?\n$/);
      results.push(bitsOf(readNpy(new Uint8Array(readFileSync(at(`many${threads}.npy`)))).data));
    }
    expect(results[1]).toEqual(results[0]);
    expect(results[2]).toEqual(results[0]);
  });

  test('a reader that closes the pipe early is no error', async () => {
    const data = Float32Array.from({ length: 2000000 }, (_, i) => i);
    writeFileSync(at('huge.npy'), writeNpy({ type: 'float32', dims: [2000000], data }));
    for (const format of [['--json'], ['-o', '-']]) {
      const child = spawn(process.execPath, [cli, 'sumsquare', 'huge.npy', '--noop', ...format], { cwd: folder });
      let err = '';
      child.stderr.on('data', (piece) => { err += piece; });
      child.stdout.once('data', () => child.stdout.destroy());
      const code = await new Promise((resolve) => child.once('close', resolve));
      expect({ code, err }).toEqual({ code: 0, err: '' });
    }
  });
});
