// Promises for what a worker computes. The worker starts with the first call.
let worker;
let lastId = 0;
const waiting = new Map();

/**
 * Reduces in the worker. The tensor's buffer is handed over, not copied, so the
 * caller's array is empty afterwards; pass a copy to keep it.
 */
export function reduceInWorker(operator, tensor, options) {
  worker ??= startWorker();
  const id = ++lastId;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    worker.postMessage({ id, operator, tensor, options }, [tensor.data.buffer]);
  });
}

function startWorker() {
  const started = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  started.addEventListener('message', ({ data: { id, tensor, message } }) => {
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (tensor) resolve(tensor);
    else reject(new Error(message));
  });
  // The script could not be loaded: nothing will ever answer.
  started.addEventListener('error', () => {
    for (const { reject } of waiting.values()) reject(new Error('The worker could not be started.'));
    waiting.clear();
    worker = undefined;
  });
  return started;
}
