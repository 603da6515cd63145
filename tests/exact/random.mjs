// A small seeded generator of random numbers (sfc32 of the PractRand suite):
// 32-bit operations only, so that C++ and JavaScript draw the same numbers.
// tests/native/support/random.h is its twin.

/** One stream of random numbers; equal seeds give equal streams everywhere. */
export class Random {
  /** @param {number} seed any integers, each taken modulo 2^32 */
  constructor(seed, stream = 0) {
    this.a = seed >>> 0;
    this.b = stream >>> 0;
    this.c = 0x9e3779b9;
    this.d = 1;
    for (let i = 0; i < 16; i += 1) this.next();
  }

  /** 32 random bits as a Number. */
  next() {
    const t = (((this.a + this.b) | 0) + this.d) | 0;
    this.d = (this.d + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = ((this.c << 21) | (this.c >>> 11)) + t;
    this.c |= 0;
    return t >>> 0;
  }

  /** An integer in [0, n), n < 2^32. */
  below(n) {
    return n === 0 ? 0 : this.next() % n;
  }

  /** An integer in [from, to]. */
  between(from, to) {
    return from + this.below(to - from + 1);
  }

  chance(probability) {
    return this.next() < probability * 4294967296;
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  /** 64 random bits as a BigInt. */
  next64() {
    return (BigInt(this.next()) << 32n) | BigInt(this.next());
  }

  /** A multiple of 2^-53 in [0, 1). */
  unit() {
    return ((this.next() >>> 5) * 67108864 + (this.next() >>> 6)) / 9007199254740992;
  }

  /** A normally distributed number. */
  normal() {
    return Math.sqrt(-2 * Math.log(1 - this.unit())) * Math.cos(2 * Math.PI * this.unit());
  }
}
