// The functions are the same here as on the page. Results live in memory of
// their own, so their buffers can be handed back without a copy.
import * as library from 'onnx-reduce';

self.addEventListener('message', ({ data: { id, operator, tensor, options } }) => {
  try {
    const { type, dims, data } = library[operator](tensor, options);
    self.postMessage({ id, tensor: { type, dims, data } }, [data.buffer]);
  } catch (error) {
    self.postMessage({ id, message: error.message });
  }
});
