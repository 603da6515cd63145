// What the core imports: access to data in JavaScript memory and, with threads,
// what only the host knows about waiting.
// They forward to properties of the module object, which the wrapper sets after
// the module exists. Emscripten's linker reads this file (--js-library).
addToLibrary({
  onnx_reduce_host_read: (to, offset, rows, rowStride, rowLength) => {
    Module['hostRead'](to, offset, rows, rowStride, rowLength);
  },
  onnx_reduce_host_write: (from, offset, count) => {
    Module['hostWrite'](from, offset, count);
  },
  onnx_reduce_host_may_block: () => Module['mayBlock'](),
  onnx_reduce_host_give_up: (rounds) => Module['giveUp'](rounds),
});
