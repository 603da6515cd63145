// The table of what can be generated: the select, the worker and the snippet
// all read it.

import * as rules from './generators.js';

/** Largest tensor that is generated: half a gigabyte of float64. */
export const mostElements = 2 ** 26;

export interface Rule {
  label: string;
  make: (i: number, seed: number, dims: number[]) => number;
  /** Integer types get the value times this, cut off. */
  scale: number;
}

/** Keyed by the name of the rule's function in generators.js. */
export const ruleTable: Record<string, Rule> = {
  uniform: { label: 'Uniform in [0, 1)', make: rules.uniform, scale: 1000 },
  bell: { label: 'Bell-shaped around 0', make: rules.bell, scale: 1000 },
  tenths: { label: 'All 0.1', make: rules.tenths, scale: 1000 },
  cancellation: { label: 'Cancellation: large pairs, small rest', make: rules.cancellation, scale: 1000 },
  wide: { label: 'Wide: 1e-9 to 1e9', make: rules.wide, scale: 1 },
  ripples: { label: 'Ripples', make: rules.ripples, scale: 1000 },
  ramp: { label: 'Ramp: 0, 1, 2, ...', make: rules.ramp, scale: 1 },
};

/** Shapes to start from; the last few are the ones that reductions meet in networks. */
export const presets: { label: string; dims: number[]; axes: number[] }[] = [
  { label: '1024 \u00d7 1024', dims: [1024, 1024], axes: [1] },
  { label: '4096 \u00d7 4096', dims: [4096, 4096], axes: [0] },
  { label: '64 \u00d7 512 \u00d7 512', dims: [64, 512, 512], axes: [1] },
  { label: 'NHWC 32 \u00d7 56 \u00d7 56 \u00d7 64', dims: [32, 56, 56, 64], axes: [0, 1, 2] },
  { label: '4194304 \u00d7 4', dims: [4194304, 4], axes: [1] },
  { label: '67108864', dims: [67108864], axes: [] },
];
