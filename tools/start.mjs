// npm start: sets up, builds, computes both operators on real files with the
// command line, and serves the demo page.
// Usage: node tools/start.mjs [--port N] [--host NAME] [--no-serve]
import { parseArgs } from 'node:util';
import { buildAll } from './build.mjs';
import { project } from './build/files.mjs';
import { buildSite } from './build/site.mjs';
import { serve } from './serve.mjs';
import { setup } from './setup.mjs';
import { runTool, runVisibly, SetupError } from './setup/report.mjs';

const onnx = 'tests/data/conformance';
const jobs = [
  ['ONNX\'s own test models, with their inputs', [
    ['run', `${onnx}/test_reduce_sum_square_keepdims_random/model.onnx`, `${onnx}/test_reduce_sum_square_keepdims_random/test_data_set_0/input_0.pb`, `${onnx}/test_reduce_sum_square_keepdims_random/test_data_set_0/input_1.pb`],
    ['run', `${onnx}/test_reduce_log_sum_asc_axes/model.onnx`, `${onnx}/test_reduce_log_sum_asc_axes/test_data_set_0/input_0.pb`, `${onnx}/test_reduce_log_sum_asc_axes/test_data_set_0/input_1.pb`],
  ]],
  ['A photograph: the power of each colour channel, and the log of its brightness', [
    ['ReduceSumSquare', 'web/public/data/chelsea.npy', '--axes', '0,1', '--no-keepdims'],
    ['ReduceLogSum', 'web/public/data/chelsea.npy'],
  ]],
  ['Measurements of 342 penguins: the squared norm of each, and the log of each column\'s sum', [
    ['ReduceSumSquare', 'web/public/data/penguins.npy', '--axes', '1', '--no-keepdims'],
    ['ReduceLogSum', 'web/public/data/penguins.npy', '--axes', '0', '--no-keepdims'],
  ]],
];

async function compute() {
  for (const [title, commands] of jobs) {
    console.log(`\n${title}`);
    for (const args of commands) {
      console.log(`\n$ npx onnx-reduce ${args.join(' ')}`);
      const code = await runVisibly(process.execPath, ['dist/cli.mjs', ...args], { cwd: project });
      if (code !== 0) throw new SetupError(`The command above ended with code ${code}.`, 'run "npm test" to see what is broken.');
    }
  }
}

await runTool(async () => {
  const { values } = parseArgs({ options: { port: { type: 'string', default: '8080' }, host: { type: 'string', default: 'localhost' }, 'no-serve': { type: 'boolean', default: false } } });
  await setup({ native: false });
  await buildAll();
  await compute();
  const folder = await buildSite();
  if (!folder || values['no-serve']) return;
  const { url } = await serve(folder, { port: Number(values.port), host: values.host });
  console.log(`\nThe demo page: ${url}\n(Ctrl-C ends the server.)`);
});
