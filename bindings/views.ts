// Reads typed arrays by the engine's own getters. Those look at the object's
// internal slots, so they answer rightly for arrays of another realm (an
// iframe, a vm context, Jest), where `instanceof` says no, and they run no code
// of the caller, whatever a subclass overrides.

const prototype = Object.getPrototypeOf(Uint8Array.prototype) as object;

function getter<T>(key: PropertyKey): (this: unknown) => T {
  return Object.getOwnPropertyDescriptor(prototype, key)!.get as (this: unknown) => T;
}

const readTag = getter<string | undefined>(Symbol.toStringTag);
const readLength = getter<number>('length');
const readByteOffset = getter<number>('byteOffset');
const readBuffer = getter<ArrayBufferLike>('buffer');
const { keys, set } = prototype as { keys(this: unknown): unknown; set(this: unknown, from: ArrayBufferView): void };

/** 'Float32Array' and so on; 'DataView' for the one view that is no typed array. */
export function viewName(view: ArrayBufferView): string {
  return readTag.call(view) ?? 'DataView';
}

export function viewLength(view: ArrayBufferView): number {
  return readLength.call(view);
}

export function viewByteOffset(view: ArrayBufferView): number {
  return readByteOffset.call(view);
}

export function viewBuffer(view: ArrayBufferView): ArrayBufferLike {
  return readBuffer.call(view);
}

/** Copies all elements of `from` to the start of `view`. */
export function setElements(view: ArrayBufferView, from: ArrayBufferView): void {
  set.call(view, from);
}

/**
 * Whether the memory behind a view is gone: transferred, or shrunk below it.
 * Such a view has length 0, so only those need to be asked.
 */
export function isDetached(view: ArrayBufferView): boolean {
  try {
    keys.call(view);
    return false;
  } catch {
    return true;
  }
}

export function isShared(buffer: ArrayBufferLike): boolean {
  return Object.prototype.toString.call(buffer) === '[object SharedArrayBuffer]';
}
