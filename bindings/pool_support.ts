// Whether threads can be had here, and how many.
import { builtin, hasWorkers } from './worker_start.js';

/** What src/reduce.h allows. */
export const kMaxMembers = 32;

interface Surroundings {
  readonly SharedArrayBuffer?: unknown;
  readonly crossOriginIsolated?: boolean;
  readonly navigator?: { readonly hardwareConcurrency?: number };
}

/** The smallest module with a shared memory. */
const sharedMemoryModule = /* @__PURE__ */ new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 5, 4, 1, 3, 1, 1]);

/** Why there can be no threads; empty when they may be tried. */
export function whyNoThreads(): string {
  const { SharedArrayBuffer: Shared, crossOriginIsolated } = globalThis as Surroundings;
  if (crossOriginIsolated === false) {
    return 'the page is not cross-origin isolated, so there is no shared memory; it takes the response headers '
      + 'Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp';
  }
  if (typeof Shared !== 'function') return 'there is no SharedArrayBuffer here';
  if (!hasWorkers()) return 'there are no workers here (in Node, they take version 20.16 or newer)';
  if (typeof WebAssembly !== 'object' || !WebAssembly.validate(sharedMemoryModule)) return 'the WebAssembly of this engine has no shared memory';
  return '';
}

/** How many threads the machine runs at a time. */
export function machineThreads(): number {
  const { navigator } = globalThis as Surroundings;
  const count = navigator?.hardwareConcurrency ?? builtin<typeof import('node:os')>('node:os')?.availableParallelism() ?? 1;
  return Math.min(Math.max(Math.floor(count) || 1, 1), kMaxMembers);
}
