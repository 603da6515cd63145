// The Tensor class: what the operators return and what allocate() gives.
import { ReduceRangeError, ReduceTypeError, show } from './errors.js';
import { productOf, readTensor } from './input.js';
import { typeByName, typeNames, type DataTypeMap, type TensorData, type TypeName } from './types.js';

// Engines without explicit resource management get the registered symbol that
// TypeScript's and Babel's helpers fall back to.
const disposeSymbol: symbol = (Symbol as { dispose?: symbol }).dispose ?? Symbol.for('Symbol.dispose');

/** What `using` asks for, where the compiler's libraries know `Symbol.dispose`. */
export type MaybeDisposable = typeof Symbol extends { readonly dispose: infer S extends symbol }
  ? { [K in S]: () => void }
  // biome-ignore lint/complexity/noBannedTypes: an interface can extend {} but not unknown
  : {};

/** Lets `using` dispose of the instances of a class through its method dispose(). */
export function makeDisposable(prototype: { dispose(): void }): void {
  Object.defineProperty(prototype, disposeSymbol, {
    value: function (this: { dispose(): void }) { this.dispose(); }, writable: true, configurable: true,
  });
}

const trusted = Symbol('trusted');

// A registered symbol, so that the entries of this package, which are separate
// files, know one another's tensors.
const marker = Symbol.for('onnx-reduce.Tensor');

/** Whether the value is a Tensor of this library, made by whichever entry. */
export function isTensor(value: unknown): value is Tensor {
  return typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[marker] === true;
}

/**
 * A tensor: its type, its dims and its elements in C order.
 *
 * Results own their memory. A tensor of `allocate` lies in WebAssembly memory;
 * its `data` is a getter, and it must be disposed of.
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: what is merged in is defined below, for engines of every age
export class Tensor<T extends TypeName = TypeName, D extends TensorData = DataTypeMap[T]> {
  /** e.g. 'float32'; bfloat16 and float16 both have their bits in a Uint16Array. */
  declare readonly type: T;
  /** The shape; [] for a scalar. */
  declare readonly dims: readonly number[];
  /** The elements in C order: the last dim varies fastest. */
  declare readonly data: D;

  /**
   * Puts a tensor together from its parts, without copying the data.
   *
   * @param type e.g. 'float32'
   * @param data the typed array of that type
   * @param dims its shape; when missing, the tensor has rank 1
   * @throws {@link ReduceError}, when they do not fit each other
   */
  constructor(type: T, data: D, dims?: readonly number[]);
  constructor(type: T, data: D, dims?: readonly number[], passed?: symbol) {
    if (passed !== trusted) dims = checkParts(type, data, dims);
    this.type = type;
    this.dims = dims!;
    // An allocated tensor gets a getter instead.
    if (data !== undefined) this.data = data;
  }

  /** How many elements it has. */
  get size(): number {
    return productOf(this.dims);
  }

  /** Frees the memory of a tensor of `allocate`; other tensors have nothing to free. */
  dispose(): void {}
}
// biome-ignore lint/correctness/noUnusedVariables: merged declarations must name the same parameters
export interface Tensor<T extends TypeName, D extends TensorData> extends MaybeDisposable {}
makeDisposable(Tensor.prototype);
Object.defineProperty(Tensor.prototype, marker, { value: true });
Object.defineProperty(Tensor, Symbol.hasInstance, {
  value(this: unknown, value: unknown): boolean {
    return this === Tensor ? isTensor(value) : Function.prototype[Symbol.hasInstance].call(this as never, value);
  },
});
// A minifier renames classes; what is printed and inspected should say Tensor.
Object.defineProperty(Tensor, 'name', { value: 'Tensor' });

function checkParts(type: unknown, data: unknown, dims: unknown): readonly number[] {
  if (!typeByName.has(type)) {
    throw new ReduceTypeError('UNKNOWN_TYPE', `Tensor: the type is ${show(type)}; the types allowed are ${typeNames}`);
  }
  return readTensor({ data, type, dims: dims ?? [lengthOfData(data)] }, 'Tensor', 'input', null).dims;
}

const Trusted = Tensor as unknown as new (
  type: TypeName, data: TensorData | undefined, dims: readonly number[], passed: symbol) => Tensor;

// What is no typed array is refused in due course: a Proxy of one has a length that throws.
function lengthOfData(data: unknown): unknown {
  try {
    return (data as { length?: unknown } | null | undefined)?.length;
  } catch {
    return 0;
  }
}

/** Makes a Tensor of parts that are known to fit. */
export function makeTensor(type: TypeName, data: TensorData | undefined, dims: readonly number[]): Tensor {
  return new Trusted(type, data, dims, trusted);
}

/** So many bytes every engine that has them takes into one view. */
const kSafeBytes = 2 ** 31 - 1;

/** An ordinary array for a result; too large a one is a RangeError of ours. */
export function makeArray<A extends ArrayBufferView>(ArrayClass: new (length: number) => A, count: number, bytes: number, owner: string): A {
  try {
    const array = new ArrayClass(count);
    // Results are put there as bytes, of which one view holds fewer in some engines.
    if (count * bytes > kSafeBytes) new Uint8Array((array as ArrayBufferView).buffer);
    return array;
  } catch {
    throw new ReduceRangeError('OUT_OF_MEMORY',
      `${owner}: no memory for ${count} elements of ${bytes} bytes; the engine refuses an array that large`);
  }
}
