import { runChecks } from './run.js';

addEventListener('message', async ({ data }) => {
  try {
    postMessage(await runChecks(data, (name) => postMessage(name)));
  } catch (error) {
    postMessage([{ name: 'the worker runs', error: `${error}\n${error.stack ?? ''}` }]);
  }
});
