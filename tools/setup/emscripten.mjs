// Finds Emscripten 3.1.69 or newer, or gets it, and says in which environment
// its programs run.
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fetchDebianEmscripten } from './debian-emscripten.mjs';
import { SetupError, explain, findProgram, progress, tryRun } from './report.mjs';

/** The oldest Emscripten that builds this project. */
export const oldestEmscripten = '3.1.69';

/** Where fetched tools are kept, shared by all clones of the user. */
export function cacheFolder() {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'onnx-reduce');
}

const toolFolder = () => join(cacheFolder(), `emscripten-${oldestEmscripten}`);
const stampFile = () => join(toolFolder(), 'verified');

function isNewEnough(version) {
  const [have, want] = [version, oldestEmscripten].map((text) => text.split('.').map(Number));
  for (let i = 0; i < 3; ++i) if (have[i] !== want[i]) return have[i] > want[i];
  return true;
}

/** The version an emcc reports, or null when it doesn't run. */
function versionOf(emcc, env) {
  const result = tryRun(emcc, ['--version'], { env });
  return result.status === 0 ? /\b(\d+\.\d+\.\d+)\b/.exec(result.stdout)?.[1] ?? null : null;
}

let onPath;
/** The emcc on PATH when it is new enough, else null. Asked once per process. */
function emccOnPath() {
  if (onPath === undefined) {
    const emcc = findProgram('emcc');
    const version = emcc && versionOf(emcc, process.env);
    onPath = version && isNewEnough(version) ? emcc : null;
    if (version && !onPath) progress(`emcc on PATH is ${version}, older than ${oldestEmscripten}: not used`);
  }
  return onPath;
}

/** The environment of the Emscripten in our folder. */
function fetchedEnv(base) {
  const root = join(toolFolder(), 'root');
  return {
    ...base,
    PATH: [join(root, 'usr/share/emscripten'), base.PATH].join(delimiter),
    EM_CONFIG: join(root, 'usr/share/emscripten/.emscripten'),
    // Nodes of different clones may differ: the running one is always right.
    EM_NODE_JS: process.execPath,
    // Emscripten's scripts run with the Python that came with it, as a system
    // may have none.
    EMSDK_PYTHON: join(root, 'usr/bin/python3.13'),
    NODE_PATH: join(root, 'usr/share/nodejs'),
  };
}

/**
 * The environment in which emcc, em++, emcmake and emar can be called by name.
 * Call ensureEmscripten() first, once per machine.
 */
export function emscriptenEnv(base = process.env) {
  if (emccOnPath()) return { ...base };
  if (!existsSync(stampFile())) {
    throw new SetupError(`Emscripten ${oldestEmscripten} is not set up.`, 'run "node tools/setup.mjs" and then this command again.');
  }
  return fetchedEnv(base);
}

const probe = `
#include <emscripten/bind.h>
#include <wasm_simd128.h>
static int twice(int x) { return wasm_i32x4_extract_lane(wasm_i32x4_shl(wasm_i32x4_splat(x), 1), 0); }
EMSCRIPTEN_BINDINGS(probe) { emscripten::function("twice", &twice); }
`;

/** Compiles and runs a small Embind program; throws when that doesn't work. */
function verify(env) {
  const version = versionOf('emcc', env);
  if (!version || !isNewEnough(version)) {
    throw explain('Starting emcc', tryRun('emcc', ['--version'], { env }).said,
      `delete ${toolFolder()} and run the command again.`);
  }
  const folder = mkdtempSync(join(tmpdir(), 'onnx-reduce-probe-'));
  try {
    writeFileSync(join(folder, 'probe.cc'), probe);
    writeFileSync(join(folder, 'run.mjs'), "import make from './probe.mjs';\nconsole.log((await make()).twice(21));\n");
    const compiled = tryRun('em++', ['-O2', '-msimd128', '-fno-exceptions', '-sMODULARIZE', '-sEXPORT_ES6', '-lembind',
      '-sENVIRONMENT=node', 'probe.cc', '-o', 'probe.mjs'], { env, cwd: folder });
    if (compiled.status !== 0) throw explain('Compiling a test program', compiled.said, `delete ${toolFolder()} and run the command again.`);
    const ran = tryRun(process.execPath, ['run.mjs'], { cwd: folder });
    if (ran.stdout.trim() !== '42') throw explain('Running a compiled test program', ran.said, 'check that Node.js is 20.16 or newer.');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return version;
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Runs body while holding a lock file, so that two clones don't fetch at once. */
async function withLock(path, body) {
  for (let waits = 0; ; ++waits) {
    try {
      const file = openSync(path, 'wx');
      writeFileSync(file, String(process.pid));
      closeSync(file);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      const owner = existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0;
      if (owner && !isAlive(owner)) rmSync(path, { force: true });
      else if (waits === 0) progress(`another set-up (process ${owner}) is fetching Emscripten: waiting for it`);
      else if (waits > 900) throw new SetupError('Another set-up has held its lock for 15 minutes.', `delete ${path} and run the command again.`);
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
  try {
    return await body();
  } finally {
    rmSync(path, { force: true });
  }
}

/** Makes sure that emscriptenEnv() works. Instant when it already does. */
export async function ensureEmscripten() {
  if (existsSync(stampFile()) || emccOnPath()) return;
  const folder = toolFolder();
  try {
    mkdirSync(cacheFolder(), { recursive: true });
  } catch (error) {
    throw explain(`Making ${cacheFolder()}`, String(error), 'set XDG_CACHE_HOME to a folder of yours and run the command again.');
  }
  await withLock(`${folder}.lock`, async () => {
    if (existsSync(stampFile())) return;
    // Everything happens in a folder of another name; what an interrupted run
    // left is thrown away.
    const temporary = `${folder}.partial`;
    rmSync(temporary, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
    try {
      fetchDebianEmscripten(temporary, folder);
    } catch (error) {
      rmSync(temporary, { recursive: true, force: true });
      throw error;
    }
    renameSync(temporary, folder);
    progress('checking that it compiles and runs a program');
    const version = verify(fetchedEnv(process.env));
    // Only what has proved to work is stamped, and only stamped folders are used.
    writeFileSync(stampFile(), `${version}\n`);
    progress(`Emscripten ${version} is ready in ${folder}`);
  });
}
