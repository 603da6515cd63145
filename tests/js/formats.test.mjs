// .npy files and the text of numbers. What NumPy itself wrote is in
// tests/data/npy; the rest is made byte by byte here.
import { readFileSync } from 'node:fs';
import { bitsOf, loadFormats, packBits, randomBits, sampleBits, thrownBy } from './support/load_formats.mjs';

const formats = await loadFormats();
const { FormatError, inOrder, readNpy, readNpyHeader, writeNpy } = formats;
const numpyFiles = JSON.parse(readFileSync(new URL('../data/npy/numpy-files.json', import.meta.url), 'utf8'));
const fromBase64 = (text) => new Uint8Array(Buffer.from(text, 'base64'));

/** A file made by hand: header text, data, version, and the length bytes if they shall lie. */
function npyFile(header, data = [], { version = 1, minor = 0, length = header.length } = {}) {
  const lengthBytes = packBits([BigInt(length)], version === 1 ? 2 : 4);
  const text = Buffer.from(header, 'latin1');
  return new Uint8Array([0x93, ...Buffer.from('NUMPY'), version, minor, ...lengthBytes, ...text, ...data]);
}

const good = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n";
const twoFloats = packBits([0x3f800000n, 0x40000000n], 4);

describe('files that NumPy wrote', () => {
  test.each(numpyFiles.filter((entry) => entry.bits))('$name', ({ file, type, dims, bits, as }) => {
    const tensor = readNpy(fromBase64(file), as ? { type: as } : {});
    expect(tensor.type).toBe(type);
    expect(tensor.dims).toEqual(dims);
    expect(bitsOf(inOrder(dims, tensor.data, tensor.strides))).toEqual(bits.map(BigInt));
  });

  test.each(numpyFiles.filter((entry) => entry.refused))('$name', ({ file, refused }) => {
    const bytes = fromBase64(file);
    const error = thrownBy(() => readNpy(bytes));
    expect(error).toBeInstanceOf(FormatError);
    // The message points at the dtype, which stands behind "{'descr': ".
    expect(error.offset).toBe(10 + "{'descr': ".length);
    if (refused !== 'uint16') expect(error.found).toContain(refused);
  });
});

describe('what is written reads back', () => {
  const shapes = [[], [6], [2, 3], [3, 2, 1], [0, 3], [1, 1, 6]];
  const kinds = Object.keys(sampleBits).flatMap((type) => [1, 2, 3].flatMap((version) =>
    ['<', '>'].flatMap((byteOrder) => [false, true].map((fortranOrder) => ({ type, version, byteOrder, fortranOrder })))));

  test.each(kinds)('$type, version $version, $byteOrder, Fortran order $fortranOrder', ({ type, ...options }) => {
    for (const dims of shapes) {
      const count = dims.reduce((product, dim) => product * dim, 1);
      const bits = sampleBits[type].bits.slice(0, count);
      const data = formats.arrayOver(type, packBits(bits, sampleBits[type].bytes));
      const file = writeNpy({ type, dims, data }, options);
      const header = readNpyHeader(file);
      expect(header).toMatchObject({ version: options.version, fortranOrder: options.fortranOrder, dims });
      expect(header.descr[0]).toBe(options.byteOrder);
      expect(header.dataOffset % 64).toBe(0);
      expect(file[header.dataOffset - 1]).toBe(0x0a);
      const back = readNpy(file, type === 'bfloat16' ? { type } : {});
      expect(back.type).toBe(type);
      expect(back.dims).toEqual(dims);
      expect(bitsOf(inOrder(dims, back.data, back.strides))).toEqual(bits);
    }
  });

  test('the bytes are those that NumPy writes', () => {
    for (const entry of numpyFiles.filter(({ bits, as }) => bits && !as)) {
      const bytes = fromBase64(entry.file);
      const { version, descr, fortranOrder, dims } = readNpyHeader(bytes);
      const data = formats.arrayOver(entry.type, packBits(entry.bits.map(BigInt), sampleBits[entry.type].bytes));
      const written = writeNpy({ type: entry.type, dims, data }, { version, byteOrder: descr[0], fortranOrder });
      expect([entry.name, Buffer.from(written).toString('base64')]).toEqual([entry.name, entry.file]);
    }
  });

  test('a header too long for version 1 is written as version 2', () => {
    const dims = new Array(30000).fill(1);
    const file = writeNpy({ type: 'float32', dims, data: new Float32Array([7]) });
    expect(readNpyHeader(file)).toMatchObject({ version: 2, dims });
    expect(readNpy(file).data[0]).toBe(7);
    expect(() => writeNpy({ type: 'float32', dims, data: new Float32Array(1) }, { version: 1 })).toThrow(RangeError);
  });

  test('a strided tensor is written in C order', () => {
    const tensor = { type: 'int32', dims: [2, 3], data: Int32Array.of(0, 3, 1, 4, 2, 5), strides: [1, 2] };
    expect([...readNpy(writeNpy(tensor)).data]).toEqual([0, 1, 2, 3, 4, 5]);
  });
});

describe('the reader and its input', () => {
  test('it takes views at any byte offset, and does not change them', () => {
    for (const byteOrder of ['<', '>']) {
      const file = writeNpy({ type: 'float64', dims: [3], data: Float64Array.of(1, -2, 1e300) }, { byteOrder });
      for (let shift = 0; shift < 9; shift++) {
        const buffer = new Uint8Array(file.length + 16);
        buffer.set(file, shift);
        const view = buffer.subarray(shift, shift + file.length);
        expect([...readNpy(view).data]).toEqual([1, -2, 1e300]);
        expect(Buffer.compare(view, file)).toBe(0);
      }
    }
  });

  test.each([
    ['Python 2 integers', "{'descr': '<f4', 'fortran_order': False, 'shape': (2L, 1L), }\n", [2, 1]],
    ['double quotes and no spaces', '{"descr":"<f4","fortran_order":False,"shape":(2,)}', [2]],
    ['another order of keys', "{'shape': (1, 2), 'fortran_order': True, 'descr': '<f4'}\n\n  ", [1, 2]],
    ['the native byte order', "{'descr': '=f4', 'fortran_order': False, 'shape': (2,)}", [2]],
    ['line breaks', "{\n'descr':\t'<f4',\r\n'fortran_order': False,\n'shape': (\n2,\n),\n}\n", [2]],
  ])('it takes %s', (_, header, dims) => {
    const { data, ...tensor } = readNpy(npyFile(header, twoFloats));
    expect(tensor).toMatchObject({ type: 'float32', dims });
    expect([...data]).toEqual([1, 2]);
  });

  test('a type that the file does not have is refused, the one it has is taken', () => {
    expect(readNpy(npyFile(good, twoFloats), { type: 'float32' }).type).toBe('float32');
    expect(thrownBy(() => readNpy(npyFile(good, twoFloats), { type: 'bfloat16' }))).toMatchObject({
      offset: 20, expected: 'data of type bfloat16', found: "'<f4' (float32)",
    });
  });
});

const dict = (descr, shape, order = 'False') => `{'descr': ${descr}, 'fortran_order': ${order}, 'shape': ${shape}, }\n`;
const f4 = "'<f4'";

describe('broken .npy files', () => {
  // name, file, the byte where it broke, a part of what was expected
  const broken = [
    ['nothing', new Uint8Array(0), 0, 'magic'],
    ['another first byte', npyFile(good, twoFloats).with(0, 0x92), 0, 'magic'],
    ['another letter', npyFile(good, twoFloats).with(5, 0x79), 5, 'magic'],
    ['only magic', npyFile(good).subarray(0, 6), 6, 'version 1, 2 or 3'],
    ['version 0', npyFile(good, twoFloats, { version: 0 }), 6, 'version 1, 2 or 3'],
    ['version 4', npyFile(good, twoFloats, { version: 4 }), 6, 'version 1, 2 or 3'],
    ['minor version 1', npyFile(good, twoFloats, { minor: 1 }), 7, 'minor version 0'],
    ['no minor version', npyFile(good).subarray(0, 7), 7, 'minor version 0'],
    ['half a length', npyFile(good).subarray(0, 9), 9, "length in 2 bytes"],
    ['a length cut in version 2', npyFile(good, [], { version: 2 }).subarray(0, 11), 11, 'length in 4 bytes'],
    ['a header that is cut', npyFile(good).subarray(0, 40), 40, 'a header of 58 bytes from byte 10 on'],
    ['a length past the end', npyFile(good, twoFloats, { length: 100 }), 76, 'a header of 100 bytes'],
    ['a length of 4 GB', npyFile(good, twoFloats, { version: 2, length: 0xffffffff }), 8, 'at most 1048576 bytes'],
    ['an empty header', npyFile('', twoFloats), 10, "'{'"],
    ['a length too short', npyFile(good, twoFloats, { length: 20 }), 30, 'ends the text'],
    ['no dict', npyFile('[1, 2]'), 10, "'{'"],
    ['an open dict', npyFile("{'descr': '<f4', "), 27, 'a key'],
    ['no colon', npyFile("{'descr' '<f4'}"), 19, "':'"],
    ['no comma', npyFile("{'descr': '<f4' 'shape': ()}"), 26, "',' or '}'"],
    ['a text that does not end', npyFile("{'descr: \n"), 19, "the ' that ends the text of byte 11"],
    ['no descr', npyFile("{'fortran_order': False, 'shape': (2,), }\n"), 50, "the key 'descr'"],
    ['no shape', npyFile("{'descr': '<f4', 'fortran_order': False, }\n"), 51, "the key 'shape'"],
    ['a key twice', npyFile("{'descr': '<f4', 'descr': '<f4', }\n"), 27, 'each key once'],
    ['another key', npyFile("{'descr': '<f4', 'order': 1}\n"), 27, 'one of the keys'],
    ['a key that objects inherit', npyFile("{'toString': 1}\n"), 11, 'one of the keys'],
    ['something behind the dict', npyFile(`${good.trim()} x\n`, twoFloats), 68, 'only white space'],
    ['fortran_order in small letters', npyFile(dict(f4, '(2,)', 'false'), twoFloats), 44, 'True or False'],
    ['fortran_order as a number', npyFile(dict(f4, '(2,)', '0'), twoFloats), 44, 'True or False'],
    ['a dtype that is no text', npyFile(dict('7', '(2,)'), twoFloats), 20, 'a dtype such as'],
    ['a dtype without byte order', npyFile(dict("'f4'", '(2,)'), twoFloats), 20, 'a dtype such as'],
    ['a very long dtype', npyFile(dict(`'${'f'.repeat(5000)}'`, '(2,)'), twoFloats), 20, 'a dtype such as'],
    ['a dtype that is none', npyFile(dict("'<f3'", '(2,)'), twoFloats), 20, 'f2, f4, f8, i4, u4, i8, u8'],
    ['a shape that is a number', npyFile(dict(f4, '2'), twoFloats), 60, 'a shape such as (2, 3)'],
    ['a shape without its comma', npyFile(dict(f4, '(2)'), twoFloats), 62, "',' after the only number"],
    ['a negative dim', npyFile(dict(f4, '(-2,)'), twoFloats), 61, 'a dim from 0 to'],
    ['a dim with a point', npyFile(dict(f4, '(2.0,)'), twoFloats), 62, "',' or ')'"],
    ['a dim of 2^53', npyFile(dict(f4, '(9007199254740992,)'), twoFloats), 61, 'a dim from 0 to 2^53 - 1'],
    ['a dim of 1000 digits', npyFile(dict(f4, `(${'9'.repeat(1000)},)`), twoFloats), 61, 'a dim from 0 to 2^53 - 1'],
    ['an empty item', npyFile(dict(f4, '(2,,)'), twoFloats), 63, 'a dim from 0 to'],
    ['an open shape', npyFile("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3"), 65, "',' or ')'"],
    ['a product past 2^53', npyFile(dict(f4, '(94906267, 94906267)'), twoFloats), 10 + dict(f4, '(94906267, 94906267)').length, 'fewer than 2^53 bytes'],
    ['a product whose bytes pass 2^53', npyFile(dict(f4, '(4503599627370496,)'), twoFloats), 10 + dict(f4, '(4503599627370496,)').length, 'fewer than 2^53 bytes'],
    ['data that is cut', npyFile(good, twoFloats.subarray(0, 7)), 75, '4 bytes for each element of shape (2), 1 bytes more'],
    ['no data', npyFile(good), 68, '8 bytes more'],
    ['too much data', npyFile(good, [...twoFloats, 9]), 76, 'the end of the file'],
    ['data behind an empty shape', npyFile(dict(f4, '(0, 9007199254740991)'), [1]), 10 + dict(f4, '(0, 9007199254740991)').length, 'the end of the file'],
  ];
  test.each(broken)('%s', (_, file, offset, expected) => {
    const error = thrownBy(() => readNpy(file));
    expect(error).toBeInstanceOf(FormatError);
    expect({ offset: error.offset, expected: error.expected }).toEqual({ offset, expected: expect.stringContaining(expected) });
    expect(error.message).toBe(`byte ${error.offset}: expected ${error.expected}, found ${error.found}`);
    // One sentence, however large the nonsense was.
    expect(error.message.length).toBeLessThan(250);
  });

  test('a zero among huge dims is an empty array', () => {
    expect(readNpy(npyFile(dict(f4, '(9007199254740991, 0, 9007199254740991)'))).data).toHaveLength(0);
  });

  test('cut at any byte, the error lies at the cut or before it', () => {
    const file = npyFile(good, twoFloats);
    for (let length = 0; length < file.length; length++) {
      const error = thrownBy(() => readNpy(file.subarray(0, length)));
      expect(error).toBeInstanceOf(FormatError);
      expect(error.offset).toBeLessThanOrEqual(length);
    }
  });

  test('with any byte changed it reads, or fails with a FormatError inside the file', () => {
    const file = npyFile(good, twoFloats);
    const wrong = [];
    let failures = 0;
    for (let at = 0; at < file.length; at++) {
      for (let byte = 0; byte < 256; byte++) {
        const error = thrownBy(() => readNpy(file.with(at, byte)));
        if (!error) continue;
        failures++;
        if (!(error instanceof FormatError && error.offset <= file.length)) wrong.push([at, byte, error]);
      }
    }
    expect(wrong).toEqual([]);
    expect(failures).toBeGreaterThan(10000);
  });
});

describe('the text of a number', () => {
  const { bfloat16Value, elementValue, float16Value, shortestText } = formats;

  const signed = (bits, magnitude) => (bits & 0x8000 ? -magnitude : magnitude);

  test('float16 bits are decoded as IEEE 754 says', () => {
    const word = new Uint32Array(1);
    const float = new Float32Array(word.buffer);
    const wrong = [];
    for (let bits = 0; bits < 0x10000; bits++) {
      const exponent = (bits >> 10) & 31;
      // The same number in a float32 word: the exponents are 112 apart, and
      // subnormals are counted in units of 2^-24.
      word[0] = exponent === 31 ? 0x7f800000 | ((bits & 1023) << 13) : ((bits & 0x7fff) << 13) + (112 << 23);
      const magnitude = exponent === 0 ? (bits & 1023) / 2 ** 24 : float[0];
      if (!Object.is(float16Value(bits), signed(bits, magnitude))) wrong.push(bits);
    }
    expect(wrong).toEqual([]);
  });

  test.each([['float16', float16Value], ['bfloat16', bfloat16Value]])('every %s reads back from its text', (type, value) => {
    const wrong = [];
    for (let bits = 0; bits < 0x10000; bits++) {
      const exact = value(bits);
      const read = Number(shortestText(type, exact));
      if (Object.is(read, exact)) continue;
      // Nearer than half way to both neighbours, and of the same sign.
      const magnitude = bits & 0x7fff;
      const low = (value(magnitude - 1) + Math.abs(exact)) / 2;
      const high = (value(magnitude + 1) + Math.abs(exact)) / 2;
      const distance = Math.abs(read);
      if (!(distance > low && distance < high && Math.sign(read) === Math.sign(exact))) wrong.push(bits);
    }
    expect(wrong).toEqual([]);
  });

  test('float32 reads back from its text, in 9 digits at most', () => {
    const random = randomBits(1);
    const word = new Uint32Array(1);
    const float = new Float32Array(word.buffer);
    const wrong = [];
    for (let i = 0; i < 50000; i++) {
      // Powers of two, where the gaps below and above differ, come often enough.
      word[0] = i % 8 ? random() : random() & 0xff800000;
      if (!Number.isFinite(float[0])) continue;
      const text = shortestText('float32', float[0]);
      const digits = text.replace(/e.*/, '').replace(/^-?0\.0*|\D/g, '').length;
      if (!Object.is(Math.fround(Number(text)), float[0])) wrong.push(text);
      if (digits > 9 && !Number.isInteger(float[0])) wrong.push(text);
    }
    expect(wrong).toEqual([]);
  });

  test.each([
    ['float32', Math.fround(0.1), '0.1'], ['float32', Math.fround(16777216), '16777216'], ['float32', -0, '-0'],
    ['float32', -Infinity, '-Infinity'], ['float32', NaN, 'NaN'], ['float64', 0.1 + 0.2, '0.30000000000000004'],
    ['float16', 0.0999755859375, '0.1'], ['bfloat16', 3.140625, '3.14'], ['int64', -(1n << 63n), '-9223372036854775808'],
    ['float32', Math.fround(1e-45), '1e-45'],
  ])('%s %p is %s', (type, value, text) => {
    expect(shortestText(type, value)).toBe(text);
  });

  test('elements of 16 bits are values, not bits', () => {
    expect(elementValue('float16', Uint16Array.of(0x3c00), 0)).toBe(1);
    expect(elementValue('bfloat16', Uint16Array.of(0x3f80), 0)).toBe(1);
    expect(elementValue('uint64', BigUint64Array.of(2n), 0)).toBe(2n);
  });
});
