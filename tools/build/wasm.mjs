// The WebAssembly cores, through CMake and Ninja.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { emscriptenEnv } from '../setup/emscripten.mjs';
import { explain, mustRun, tryRun } from '../setup/report.mjs';
import { project } from './files.mjs';

/** Configures (the first time) and builds; what is up to date costs a moment. */
export function buildWasm() {
  const env = emscriptenEnv();
  const folder = join(project, 'build/wasm');
  if (!existsSync(join(folder, 'build.ninja'))) {
    mustRun('Configuring the WebAssembly build', 'emcmake',
      ['cmake', '-G', 'Ninja', '-S', project, '-B', folder, '-DCMAKE_BUILD_TYPE=Release'], { env },
      'run "npm run clean" and then this command again.');
  }
  const result = tryRun('cmake', ['--build', folder], { env, maxBuffer: 256 << 20 });
  if (result.status !== 0) throw explain('Building the WebAssembly cores', result.said, 'mend the sources as the compiler says.');
  for (const line of result.said.split('\n')) if (/warning:/.test(line)) process.stderr.write(`${line}\n`);
}
