// The page: runs the checks that its address asks for, here or in a worker, and
// sends the results to the server. It needs nothing that a strict policy forbids.
import { runChecks } from './run.js';

const state = document.getElementById('state');
const onStart = (name) => {
  state.textContent = `running: ${name}`;
};
const parameters = Object.fromEntries(new URLSearchParams(location.search));

function inWorker() {
  // A classic worker, for importScripts(); a module worker otherwise.
  const worker = parameters.library === 'script'
    ? new Worker(new URL('./classic_worker.js', import.meta.url))
    : new Worker(new URL('./module_worker.js', import.meta.url), { type: 'module' });
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => {
      if (typeof data === 'string') onStart(data);
      else resolve(data);
    };
    worker.onerror = (event) => {
      reject(new Error(`the worker failed: ${event.message ?? 'it could not be loaded'}`));
    };
    worker.postMessage(parameters);
  });
}

let results;
try {
  results = await (parameters.context === 'worker' ? inWorker() : runChecks(parameters, onStart));
} catch (error) {
  results = [{ name: 'the page runs', error: `${error}\n${error.stack ?? ''}` }];
}
state.textContent = 'done';
await fetch(`/report/${parameters.report}`, { method: 'POST', body: JSON.stringify({ results }) });
