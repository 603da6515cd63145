// The oracle itself against values known from elsewhere: published digits, the
// host's correctly rounded float32 conversion, Math.log where it cannot be
// wrong, and hand-made sums.
import {
  addSlice, bitLength, bitsArrayOf, ceilingOfPower, decodeFloat, encodeFloat, ExactSum, floatNames, formats,
  logarithmInterval, reduceExactly, roundedLogarithm, truncatedLogarithm,
} from './index.mjs';

const f64 = new Float64Array(1);
const u64 = new BigUint64Array(f64.buffer);
const f32 = new Float32Array(1);
const u32 = new Uint32Array(f32.buffer);
const bits64 = (x) => ((f64[0] = x), u64[0]);
const bits32 = (x) => ((f32[0] = x), BigInt(u32[0]));

/** A deterministic spread of doubles over all exponents. */
function* someDoubles(count) {
  let state = 0x9e3779b97f4a7c15n;
  for (let i = 0; i < count; i += 1) {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    const bits = BigInt.asUintN(64, state ^ (state >> 29n));
    if (((bits >> 52n) & 0x7ffn) !== 0x7ffn) {
      u64[0] = bits;
      yield f64[0];
    }
  }
}

/** All finite float16 or bfloat16 values with their bits, ascending, as doubles. */
function table(type) {
  const list = [];
  const { precision, emin } = formats[type];
  for (let bits = 0; bits < Number(formats[type].infinity); bits += 1) {
    const biased = bits >> (precision - 1);
    const fraction = bits & ((1 << (precision - 1)) - 1);
    const significand = biased === 0 ? fraction : fraction + 2 ** (precision - 1);
    list.push(significand * 2 ** (emin - precision + 1 + Math.max(0, biased - 1)));
  }
  return list;
}

/** The nearest value's bits by search in the table; null when it is a tie. */
function nearest(list, x) {
  let low = 0;
  let high = list.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (list[middle] <= x) low = middle;
    else high = middle;
  }
  const [below, above] = [x - list[low], list[high] - x];
  return below === above ? null : below < above ? low : high;
}

/** Collects what is wrong: an expect() for each of a million values takes minutes. */
function collector() {
  const wrong = [];
  return {
    wrong,
    same(actual, expected, what) {
      if (!Object.is(actual, expected) && wrong.length < 10) wrong.push(`${what}: ${actual}, expected ${expected}`);
    },
  };
}

describe('formats', () => {
  test('bit lengths', () => {
    for (const n of [1n, 2n, 3n, 7n, 8n, 15n, 16n, 17n, 255n, 256n, (1n << 100n) - 1n, 1n << 100n]) {
      expect(bitLength(n)).toBe(n.toString(2).length);
    }
  });

  test('float64 decodes to the value and encodes back', () => {
    const { wrong, same } = collector();
    for (const x of [...someDoubles(20000), 5e-324, -5e-324, 2 ** -1022, Number.MAX_VALUE, 1, -1]) {
      const { n, e } = decodeFloat('float64', bits64(x));
      const split = Math.max(e, -1022);
      same(Number(n) * 2 ** split * 2 ** (e - split), x, 'decoded');
      same(encodeFloat('float64', n, e), bits64(x), x);
    }
    expect(wrong).toEqual([]);
  });

  test('every float16 and bfloat16 encodes back', () => {
    const { wrong, same } = collector();
    for (const type of ['float16', 'bfloat16']) {
      table(type).forEach((value, bits) => {
        const { n, e } = decodeFloat('float64', bits64(value));
        same(encodeFloat(type, n, e), BigInt(bits), `${type} ${value}`);
        const own = decodeFloat(type, bits);
        same(Number(own.n) * 2 ** own.e, value, `${type} ${bits}`);
      });
    }
    expect(wrong).toEqual([]);
  });

  test('float32 rounds as the host does', () => {
    const { wrong, same } = collector();
    const near = [...someDoubles(20000)].map((x) => Math.fround(x) + Math.fround(x) * 2 ** -24 * (x > 1 ? 1 : 0.99));
    for (const x of [...someDoubles(20000), ...near, 2 ** -149, 2 ** -150, 2 ** -150 * 1.5, 2 ** -149 * 1.5, 3.4028235677973366e38, 3.4028235677973362e38]) {
      if (!Number.isFinite(x)) continue;
      const { n, e } = decodeFloat('float64', bits64(x));
      const expected = x === 0 ? 0n : bits32(x);
      same(encodeFloat('float32', n, e), expected, x);
    }
    expect(wrong).toEqual([]);
  });

  test('float16 and bfloat16 round to the nearest, ties to even', () => {
    const { wrong, same } = collector();
    for (const type of ['float16', 'bfloat16']) {
      const list = table(type);
      for (let i = 1; i < list.length - 1; i += 7) {
        const middle = (list[i] + list[i + 1]) / 2;
        const round = (x) => {
          const { n, e } = decodeFloat('float64', bits64(x));
          return Number(encodeFloat(type, n, e));
        };
        same(round(middle), i % 2 === 0 ? i : i + 1, `${type} tie`);
        same(round(middle * (1 - 2 ** -50)), i, `${type} below a tie`);
        same(round(middle * (1 + 2 ** -50)), i + 1, `${type} above a tie`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('overflow begins at the largest number and half its last place', () => {
    expect(encodeFloat('float16', 65519n, 0)).toBe(0x7bffn);
    expect(encodeFloat('float16', 65520n, 0)).toBe(0x7c00n);
    expect(encodeFloat('float16', -65520n, 0)).toBe(0xfc00n);
    expect(encodeFloat('float64', (1n << 54n) - 1n, 970)).toBe(0x7ff0000000000000n);
    expect(encodeFloat('float64', (1n << 55n) - 3n, 969)).toBe(0x7fefffffffffffffn);
    expect(encodeFloat('float64', 1n, -1075)).toBe(0n);
    expect(encodeFloat('float64', 3n, -1076)).toBe(1n);
  });
});

describe('logarithms', () => {
  // Published digits.
  const digits = {
    2: '0.693147180559945309417232121458176568075500134360255254120680009',
    3: '1.098612288668109691395245236922525704647490557822749451734694333',
    10: '2.302585092994045684017991454684364207601101488628772976033327900',
  };

  test.each(Object.entries(digits))('ln %s to 60 digits', (x, text) => {
    const published = BigInt(text.replace('.', ''));
    for (const p of [230, 400]) {
      const { low, high } = logarithmInterval(BigInt(x), 0, p);
      const unit = 10n ** 63n;
      expect((low * unit) >> BigInt(p)).toBeLessThanOrEqual(published);
      expect((high * unit) >> BigInt(p)).toBeGreaterThanOrEqual(published);
      expect(high - low).toBeLessThan(1n << 20n);
    }
  });

  test('ln of powers of ten are multiples of ln 10 by another reduction', () => {
    const ten = logarithmInterval(10n, 0, 500);
    for (const k of [2n, 7n, 30n, 300n]) {
      const { low, high } = logarithmInterval(10n ** k, 0, 500);
      expect(low).toBeLessThanOrEqual(k * ten.high);
      expect(high).toBeGreaterThanOrEqual(k * ten.low);
    }
  });

  test('ln of 2^e is e ln 2, of 1 is +0', () => {
    expect(roundedLogarithm('float64', 1n, 1024)).toBe(bits64(1024 * Math.LN2));
    expect(roundedLogarithm('float64', 1n, -1074)).toBe(bits64(-1074 * Math.LN2));
    expect(roundedLogarithm('float64', 1n << 70n, -70)).toBe(0n);
  });

  test('within one ulp of Math.log', () => {
    const { wrong, same } = collector();
    let equal = 0;
    let all = 0;
    for (const x of someDoubles(4000)) {
      if (x <= 0) continue;
      const { n, e } = decodeFloat('float64', bits64(x));
      const difference = roundedLogarithm('float64', n, e) - bits64(Math.log(x));
      same(difference >= -1n && difference <= 1n, true, x);
      equal += difference === 0n ? 1 : 0;
      all += 1;
    }
    expect(wrong).toEqual([]);
    expect(equal / all).toBeGreaterThan(0.8);
  });

  test('float16 and bfloat16: each positive value against Math.log', () => {
    const { wrong, same } = collector();
    for (const type of ['float16', 'bfloat16']) {
      const list = table(type);
      let checked = 0;
      for (let bits = 1; bits < list.length; bits += type === 'float16' ? 1 : 3) {
        const y = Math.log(list[bits]);
        const low = nearest(list, Math.abs(y) * (1 - 2 ** -50));
        const high = nearest(list, Math.abs(y) * (1 + 2 ** -50));
        if (low === null || low !== high) continue;
        const { n, e } = decodeFloat(type, bits);
        const sign = y < 0 ? formats[type].signBit : 0n;
        same(roundedLogarithm(type, n, e), y === 0 ? 0n : BigInt(low) | sign, `${type} ${bits}`);
        checked += 1;
      }
      expect(wrong).toEqual([]);
      expect(checked).toBeGreaterThan(type === 'float16' ? 31700 : 10850);
    }
  });

  test('next to 1', () => {
    // ln(1 + t) = t - t^2/2 + ...: below t, so a t that fits gives t, a tie goes down.
    expect(roundedLogarithm('float64', (1n << 1074n) + 1n, -1074)).toBe(1n);
    expect(roundedLogarithm('float64', (1n << 1074n) + 3n, -1074)).toBe(3n);
    expect(roundedLogarithm('float64', (1n << 1074n) - 1n, -1074)).toBe((1n << 63n) | 1n);
    const tie = (1n << 53n) + 1n;
    expect(roundedLogarithm('float64', (1n << 600n) + tie, -600)).toBe(bits64(2 ** -547));
    expect(roundedLogarithm('float64', (1n << 600n) - tie, -600)).toBe(bits64(-(2 ** -547) * (1 + 2 ** -52)));
    expect(roundedLogarithm('float32', (1n << 149n) + 1n, -149)).toBe(1n);
  });

  test('integers: the table of e^k', () => {
    // OEIS A000149: floor(e^n).
    const floors = [1n, 2n, 7n, 20n, 54n, 148n, 403n, 1096n, 2980n, 8103n, 22026n, 59874n, 162754n, 442413n, 1202604n,
      3269017n, 8886110n, 24154952n, 65659969n, 178482300n, 485165195n];
    for (const [k, floor] of floors.entries()) expect(ceilingOfPower(k)).toBe(k === 0 ? 1n : floor + 1n);
    for (let k = 1; k < 100; k += 1) {
      const at = ceilingOfPower(k);
      // By the logarithm, which is computed another way.
      const of = (n) => logarithmInterval(n, 0, 300);
      expect(of(at).low).toBeGreaterThan(BigInt(k) << 300n);
      if (at > 1n) expect(of(at - 1n).high).toBeLessThan(BigInt(k) << 300n);
    }
    expect(truncatedLogarithm('int32', 1n)).toBe(0n);
    expect(truncatedLogarithm('int32', 0n)).toBe(0x80000000n);
    expect(truncatedLogarithm('uint64', 0n)).toBe(0n);
    expect(truncatedLogarithm('uint64', 1n << 100n)).toBe(69n);
  });
});

describe('sums', () => {
  test('squares of float64 beyond both ends', () => {
    const sum = new ExactSum();
    sum.addElement('float64', 1n, true);
    expect(sum.value()).toEqual({ n: 1n, e: -2148 });
    sum.addElement('float64', 0x7fefffffffffffffn, true);
    expect(sum.value().n & 1n).toBe(1n);
    expect(sum.rounded('float64')).toBe(0x7ff0000000000000n);
  });

  test('long slices by buckets as one by one', () => {
    const wrong = [];
    for (const type of floatNames) {
      for (const square of [false, true]) {
        for (const masked of [0n, 3n, 12n]) {
          // Any bits; then with fewer exponents, so that much cancels or is subnormal.
          const { width, precision, nan, infinity, signBit } = formats[type];
          const bits = bitsArrayOf(type).from([...someDoubles(3000)], (x) => {
            const any = (bits64(x) ^ (bits64(x) >> 31n)) & ((1n << BigInt(width)) - 1n) & ~(masked << BigInt(precision + 1));
            return width === 64 ? any : Number(any);
          });
          const [slow, fast] = [new ExactSum(), new ExactSum()];
          for (let i = 1; i < bits.length; i += 2) slow.addElement(type, bits[i], square);
          addSlice(fast, type, bits, 1, 2, bits.length >> 1, square);
          const [a, b] = [slow.value(), fast.value()];
          if (a.n << BigInt(Math.max(0, a.e - b.e)) !== b.n << BigInt(Math.max(0, b.e - a.e))) wrong.push(`${type} ${square} ${masked}`);
          if (slow.rounded(type) !== fast.rounded(type)) wrong.push(`${type} ${square} ${masked} rounded`);
          if (masked === 0n) continue;
          for (const special of [infinity, infinity | signBit, infinity | 1n, nan | signBit]) {
            bits[7] = width === 64 ? special : Number(special);
            const [one, other] = [new ExactSum(), new ExactSum()];
            one.addElement(type, bits[7], square);
            addSlice(other, type, bits, 7, 2, 1, square);
            if (one.rounded(type) !== other.rounded(type)) wrong.push(`${type} ${square} special ${special}`);
          }
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  test('layouts, empty sets and special values', () => {
    const of = (op, dims, axes, data, more) => reduceExactly({
      op, type: 'float32', dims, axes, bits: data.map((x) => bits32(x)), ...more,
    });
    expect(of('ReduceSumSquare', [2, 3], [0], [1, 2, 3, 4, 5, 6], { keepdims: false })).toEqual({
      dims: [3], bits: Uint32Array.from([17, 29, 45], (x) => Number(bits32(x))),
    });
    expect(of('ReduceSumSquare', [2, 2, 2], [0, -1], [1, 2, 3, 4, 5, 6, 7, 8])).toEqual({
      dims: [1, 2, 1], bits: Uint32Array.from([66, 138], (x) => Number(bits32(x))),
    });
    expect(of('ReduceLogSum', [2, 0], [1], [])).toEqual({ dims: [2, 1], bits: Uint32Array.of(0xff800000, 0xff800000) });
    expect(of('ReduceLogSum', [3, 2], [1], [Infinity, -Infinity, -Infinity, 1, Infinity, 1]).bits).toEqual(
      Uint32Array.of(0x7fc00000, 0x7fc00000, 0x7f800000),
    );
    expect(of('ReduceSumSquare', [1, 2], [0], [-0, NaN]).bits).toEqual(Uint32Array.of(0, 0x7fc00000));
    expect(of('ReduceLogSum', [2], [], [1, -0], { noopWithEmptyAxes: true }).bits).toEqual(Uint32Array.of(0, 0xff800000));
  });
});
