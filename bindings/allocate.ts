// Tensors in WebAssembly memory: filled once, reduced without a copy.
import type { Core } from './core.js';
import { ReduceRangeError, ReduceTypeError, show } from './errors.js';
import { countOf, readDims } from './input.js';
import { makeTensor, type Tensor } from './tensor.js';
import { typeByName, typeNames, type DataTypeMap, type PlainArray, type TypeInfo, type TypeName } from './types.js';

/** What the finalizer needs to know of a tensor; it must not reach the tensor itself. */
interface Block {
  readonly core: Core;
  address: number;  // 0 once it is released
}

function release(block: Block): void {
  const { address } = block;
  block.address = 0;
  if (address !== 0 && !block.core.broken) block.core.module.release(address);
}

// A net for tensors that were forgotten, no substitute for dispose(): an engine
// may run it late or never.
const forgotten = typeof FinalizationRegistry === 'undefined' ? null : new FinalizationRegistry<Block>(release);

// As long as someone holds the array that `data` gave, its tensor lives, even
// if only the array was kept.
const ownerOf = new WeakMap<PlainArray, Tensor>();

// Addresses are 32 bits wide; the core is asked for nothing larger.
const kAddressSpace = 2 ** 32;

/** Makes a tensor of zeros in the memory of `core`. */
export function allocateTensor<T extends TypeName>(core: Core, typeName: T, dimsGiven: readonly number[]): Tensor<T> {
  const type = typeByName.get(typeName);
  if (type === undefined) {
    throw new ReduceTypeError('UNKNOWN_TYPE', `allocate: the type is ${show(typeName)}; the types allowed are ${typeNames}`);
  }
  const dims = readDims(dimsGiven, 'allocate', 'the tensor');
  const count = countOf(dims, 'allocate', 'the tensor');
  const bytes = count * type.bytes;
  const address = bytes < kAddressSpace ? core.module.allocate(Math.max(bytes, 1)) >>> 0 : 0;
  if (address === 0) {
    throw new ReduceRangeError('OUT_OF_MEMORY',
      `allocate: no memory for ${count} elements of ${type.name} (${bytes} bytes); WebAssembly memory ends at 4 GB, or earlier `
      + 'where the engine has less');
  }
  core.refresh().bytes.fill(0, address, address + bytes);
  return tensorAt({ core, address }, type, dims, count) as Tensor<T>;
}

function tensorAt(block: Block, type: TypeInfo, dims: readonly number[], count: number): Tensor<TypeName, DataTypeMap[TypeName]> {
  const tensor = makeTensor(type.name, undefined, dims);
  let view: PlainArray | null = null;
  // Own properties that close over the block, so that they also work through
  // the Proxy that a framework's reactive state puts around a tensor.
  Object.defineProperty(tensor, 'data', {
    get: () => {
      const { core, address } = block;
      if (address === 0) {
        throw new ReduceTypeError('DISPOSED', 'Tensor: this allocated tensor was disposed of, its data is gone');
      }
      const { buffer } = core.refresh().bytes;
      if (view === null || view.buffer !== buffer) {
        view = new type.ArrayClass(buffer, address, count);
        ownerOf.set(view, tensor);
      }
      return view;
    },
    enumerable: true,
  });
  Object.defineProperty(tensor, 'dispose', {
    value: () => {
      forgotten?.unregister(block);
      view = null;
      release(block);
    },
  });
  forgotten?.register(tensor, block, block);
  return tensor;
}
