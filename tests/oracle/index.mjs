// The oracle: what the two operators must give, bit for bit.
export * from './buckets.mjs';
export * from './formats.mjs';
export * from './logarithm.mjs';
export * from './reduction.mjs';
