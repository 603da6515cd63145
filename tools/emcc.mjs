// Runs em++ in the environment of the project's Emscripten:
//   node tools/emcc.mjs ARGS...
import { ensureEmscripten, emscriptenEnv } from './setup/emscripten.mjs';
import { runTool, runVisibly } from './setup/report.mjs';

await runTool(async () => {
  await ensureEmscripten();
  process.exitCode = await runVisibly('em++', process.argv.slice(2), { env: emscriptenEnv() });
});
