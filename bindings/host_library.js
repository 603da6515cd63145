// The two functions that the core imports to reach data in JavaScript memory.
// They forward to properties of the module object, which the wrapper sets after
// the module exists. Emscripten's linker reads this file (--js-library).
addToLibrary({
  onnx_reduce_host_read: (to, offset, rows, rowStride, rowLength) => {
    Module['hostRead'](to, offset, rows, rowStride, rowLength);
  },
  onnx_reduce_host_write: (from, offset, count) => {
    Module['hostWrite'](from, offset, count);
  },
});
