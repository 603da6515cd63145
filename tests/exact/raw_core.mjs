// The WebAssembly core without the package around it, driven through its
// control block (bindings/control_block.def). It is how the tests learn how
// many results the exact accumulator had to decide; it also is a second client
// of the binary interface.
import { readFileSync } from 'node:fs';
import { asBits, typeNames, userArrayOf } from '../oracle/formats.mjs';
import { reducedFlags, resultDims } from '../oracle/reduction.mjs';
import { operators } from './cases.mjs';

const root = new URL('../../', import.meta.url);

function blockOffsets() {
  const text = readFileSync(new URL('bindings/control_block.def', root), 'utf8');
  const fields = [...text.matchAll(/^CONTROL_FIELD\((\w+), \w+, (\d+), \d+\)/gm)];
  return Object.fromEntries(fields.map(([, name, offset]) => [name, Number(offset)]));
}

/** Starts build/wasm/core; null where it was not built here. */
export async function openRawCore() {
  let factory;
  let bytes;
  try {
    bytes = readFileSync(new URL('build/wasm/core.wasm', root));
    ({ default: factory } = await import(new URL('build/wasm/core.mjs', root)));
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ERR_MODULE_NOT_FOUND') return null;
    throw error;
  }
  const compiled = new WebAssembly.Module(bytes);
  const module = await factory({
    instantiateWasm(imports, receive) {
      const instance = new WebAssembly.Instance(compiled, imports);
      receive(instance, compiled);
      return instance.exports;
    },
  });
  const offsets = blockOffsets();
  const block = module.controlBlock() >>> 0;
  const statistics = { results: 0, undecided: 0 };

  function reduce(op, { type, data, dims }, { axes, keepdims, noopWithEmptyAxes }) {
    const flags = reducedFlags(dims.length, axes, noopWithEmptyAxes);
    const noop = noopWithEmptyAxes && !(axes?.length > 0);
    const outDims = resultDims(dims, flags, keepdims || noop);
    const output = new (userArrayOf(type))(outDims.reduce((product, dim) => product * dim, 1));
    const [from, to] = [asBits(type, data), asBits(type, output)];
    const heap = (at, count) => asBits(type, new from.constructor(module.HEAPU8.buffer, at >>> 0, count));
    module.hostRead = (at, offset, rows, stride, length) => {
      const view = heap(at, rows * length);
      for (let row = 0; row < rows; row += 1) {
        const begin = offset + row * stride;
        if (begin < 0 || begin + length > from.length) throw new Error('hostRead beyond the input');
        view.set(from.subarray(begin, begin + length), row * length);
      }
    };
    module.hostWrite = (at, offset, count) => to.set(heap(at, count), offset);
    const view = new DataView(module.HEAPU8.buffer);
    const int = (name, value) => view.setInt32(block + offsets[name], value, true);
    int('op', operators.indexOf(op));
    int('type', typeNames.indexOf(type));
    int('rank', dims.length);
    int('threads', 1);
    int('input', 0);
    int('output', 0);
    dims.forEach((dim, axis) => {
      view.setFloat64(block + offsets.dims + 8 * axis, dim, true);
      view.setUint8(block + offsets.reduced + axis, flags[axis] ? 1 : 0);
    });
    const status = module.run();
    if (status !== 0) throw new Error(`run() gave status ${status}`);
    const after = new DataView(module.HEAPU8.buffer);
    statistics.results = after.getFloat64(block + offsets.results, true);
    statistics.undecided = after.getFloat64(block + offsets.undecided, true);
    if (statistics.results !== output.length) throw new Error(`the core counted ${statistics.results} results of ${output.length}`);
    return { dims: outDims, data: output };
  }

  return {
    name: 'core',
    ways: ['array', 'view', 'shared'],
    statistics: () => ({ ...statistics }),
    api: {
      reduceSumSquare: (input, options) => reduce('ReduceSumSquare', normal(input), options),
      reduceLogSum: (input, options) => reduce('ReduceLogSum', normal(input), options),
    },
  };
}

const normal = ({ type, dtype, data, dims, shape }) => ({ type: type ?? dtype, data, dims: dims ?? shape });
