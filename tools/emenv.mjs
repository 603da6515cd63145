// Prints the environment of the project's Emscripten as shell commands:
//   eval "$(node tools/emenv.mjs)"; emcc --version
import { ensureEmscripten, emscriptenEnv } from './setup/emscripten.mjs';
import { runTool } from './setup/report.mjs';

await runTool(async () => {
  await ensureEmscripten();
  const env = emscriptenEnv();
  for (const [name, value] of Object.entries(env)) {
    if (value !== process.env[name]) console.log(`export ${name}='${value.replaceAll("'", "'\\''")}'`);
  }
});
