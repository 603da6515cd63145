// A worker without modules: the library comes in by importScripts, the checks
// (which are modules) by a dynamic import.
importScripts('../dist/onnx-reduce.min.js');

addEventListener('message', async ({ data }) => {
  try {
    const { runChecks } = await import('./run.js');
    postMessage(await runChecks(data, (name) => postMessage(name)));
  } catch (error) {
    postMessage([{ name: 'the worker runs', error: `${error}\n${error.stack ?? ''}` }]);
  }
});
