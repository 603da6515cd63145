// Emscripten 3.1.69 from Debian 13's packages, unpacked into a folder of the
// user's, for systems whose own release has none or an older one. The system's
// package manager is only used as a downloader that checks signatures: it gets
// a configuration, package lists and an (empty) status file of its own.
import { existsSync, lstatSync, mkdirSync, openSync, readSync, closeSync, readdirSync, renameSync, rmSync, statfsSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { debianMirror } from './apt.mjs';
import { SetupError, explain, findProgram, mustRun, progress, tryRun } from './report.mjs';

const release = 'trixie';
const diskNeeded = 2.5e9;  // downloads and unpacked files together, with some air

// Dependencies of the packages that compiling to WebAssembly doesn't need: the
// native compilers' half, and package management itself.
const unneeded = /^(binutils|libbinutils|ccache|debconf|dpkg|tar|tzdata|media-types|netbase|nodejs|libnode|node-(?!acorn)|gcc-14-base|libgcc-14-dev|libstdc\+\+-14-dev|libc6-dev|libc-dev-bin|libcrypt-dev|linux-libc-dev|rpcsvc-proto|readline-common|openssl-)/;
// Parts of the emscripten package that we can't need and that fill a gigabyte.
const builtLibraries = './usr/share/emscripten/cache/sysroot/lib/wasm32-emscripten/';
const unneededFiles = ['./usr/share/emscripten/test', './usr/share/doc', './usr/share/man',
  ...['libGL-*emu*', 'libGL-*ofb*', 'libGL-*full_es3*', '*asan*', 'libwasmfs*'].map((name) => builtLibraries + name)];

function aptConfiguration(folder, mirror) {
  const apt = join(folder, 'apt');
  for (const sub of ['state/lists/partial', 'cache/archives/partial']) mkdirSync(join(apt, sub), { recursive: true });
  writeFileSync(join(apt, 'status'), '');
  const keyring = ['/usr/share/keyrings/debian-archive-keyring.gpg', mirror.signedBy].find((path) => path && existsSync(path));
  writeFileSync(join(apt, 'sources.list'), `deb ${keyring ? `[signed-by=${keyring}] ` : ''}${mirror.uri} ${release} main\n`);
  writeFileSync(join(apt, 'apt.conf'), `
Dir::State "${apt}/state";
Dir::State::status "${apt}/status";
Dir::Cache "${apt}/cache";
Dir::Etc::SourceList "${apt}/sources.list";
Dir::Etc::SourceParts "/dev/null";
Dir::Etc::Preferences "/dev/null";
Dir::Etc::PreferencesParts "/dev/null";
APT::Install-Recommends "false";
APT::Get::AllowUnauthenticated "false";
APT::Update::Error-Mode "any";
APT::Sandbox::User "";
Acquire::Languages "none";
Acquire::Retries "3";
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear DPkg::Post-Invoke;
`);
  return join(apt, 'apt.conf');
}

/** Throws unless this system can run and fetch Debian 13's packages. */
function checkPlatform(folder) {
  const alternative = 'install Emscripten 3.1.69 or newer (https://emscripten.org/docs/getting_started/downloads.html), put emcc on PATH, and run the command again.';
  if (process.platform !== 'linux' || !findProgram('apt-get') || !findProgram('dpkg-deb')) {
    throw new SetupError(`No emcc of 3.1.69 or newer is on PATH, and fetching one is only automatic on Debian (this is ${process.platform}).`, alternative);
  }
  const mirror = debianMirror();
  if (!mirror) throw new SetupError('No emcc of 3.1.69 or newer is on PATH, and this system has no Debian package source to fetch one from.', alternative);
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize < diskNeeded) {
    throw new SetupError(`${folder} has ${(bavail * bsize / 1e9).toFixed(1)} GB left; Emscripten takes ${diskNeeded / 1e9} GB while it is unpacked.`,
      'free some space, or point XDG_CACHE_HOME at a folder with more, and run the command again.');
  }
  return mirror;
}

function download(folder, mirror) {
  const configuration = aptConfiguration(folder, mirror);
  const env = { ...process.env, LC_ALL: 'C', APT_CONFIG: configuration };
  progress(`reading the package list of Debian 13 from ${mirror.uri}`);
  const apt = (...args) => tryRun('apt-get', ['-q', '-y', ...args], { env });
  const update = apt('update');
  if (update.status !== 0) throw explain("Reading Debian 13's package list", update.said, 'check that the mirror carries Debian 13 (trixie).');
  progress('downloading Emscripten 3.1.69 and what it needs (about 400 MB)');
  const get = apt('install', '--download-only', 'emscripten', 'patchelf');
  if (get.status !== 0) throw explain('Downloading Emscripten', get.said, 'run the command again.');
  const archives = join(folder, 'apt/cache/archives');
  return readdirSync(archives).filter((name) => name.endsWith('.deb')).map((name) => join(archives, name));
}

function unpack(archives, root) {
  progress('unpacking');
  mkdirSync(root, { recursive: true });
  for (const archive of archives) {
    const name = archive.slice(archive.lastIndexOf('/') + 1).split('_')[0];
    if (unneeded.test(name)) continue;
    // A shell, for the pipe; the names come in as arguments, never as text.
    mustRun(`Unpacking ${name}`, 'bash', ['-c', 'set -o pipefail; archive=$1; root=$2; shift 2; dpkg-deb --fsys-tarfile "$archive" | tar -x --no-same-owner -C "$root" "$@"',
      'unpack', archive, root, ...unneededFiles.map((pattern) => `--exclude=${pattern}`)]);
  }
}

/** What kind of ELF file a path is, when it is started through the loader: 'fixed', 'movable' or null. */
function programKind(path) {
  if (!lstatSync(path).isFile()) return null;
  const file = openSync(path, 'r');
  const head = Buffer.alloc(4096);
  const length = readSync(file, head, 0, head.length, 0);
  closeSync(file);
  if (length <= 64 || head.readUInt32BE(0) !== 0x7f454c46 || !head.includes('ld-linux')) return null;
  const executableType = 2;  // ET_EXEC; position-independent programs are ET_DYN
  return head.readUInt16LE(16) === executableType ? 'fixed' : 'movable';
}

/**
 * Makes the programs use the loader and the C library they came with: those of
 * an older system are too old for them. Paths are those of the final place.
 */
function relocate(root, finalRoot) {
  progress('pointing the programs at their own libraries');
  const triplet = readdirSync(join(root, 'usr/lib')).find((name) => /-linux-gnu/.test(name));
  const libraries = join(root, 'usr/lib', triplet);
  const loaderName = readdirSync(libraries).find((name) => /^ld-linux.*\.so\.\d$/.test(name));
  const finalLibraries = join(finalRoot, 'usr/lib', triplet);
  // patchelf itself is one of those programs, so it is run through the loader.
  const loader = [join(libraries, loaderName), '--library-path', libraries, join(root, 'usr/bin/patchelf')];
  const bins = ['usr/bin', 'usr/lib/llvm-19/bin'].map((bin) => join(root, bin));
  for (const bin of bins) {
    for (const name of readdirSync(bin)) {
      const path = join(bin, name);
      const kind = name === 'patchelf' ? null : programKind(path);
      if (kind === null) continue;
      if (kind === 'fixed') {
        // Python, whose segments patchelf can't move without breaking it: a
        // script of its name starts it through the loader instead.
        renameSync(path, `${path}.elf`);
        writeFileSync(path, `#!/bin/sh\nexec '${join(finalLibraries, loaderName)}' --library-path '${finalLibraries}' --argv0 "$0" '${path.replace(root, finalRoot)}.elf' "$@"\n`, { mode: 0o755 });
        continue;
      }
      mustRun(`Relocating ${name}`, loader[0], [...loader.slice(1),
        '--set-interpreter', join(finalLibraries, loaderName),
        // DT_RPATH, unlike the default DT_RUNPATH, also holds for the
        // libraries' own dependencies.
        '--force-rpath', '--set-rpath', `${finalLibraries}:${finalRoot}/usr/lib/llvm-19/lib`, path]);
    }
  }
}

/** Emscripten's own configuration and the links its scripts expect. */
function configure(root, finalRoot, folder, finalFolder) {
  const emscripten = join(root, 'usr/share/emscripten');
  // Node resolves "import 'acorn'" by folders, not by NODE_PATH.
  if (!existsSync(join(emscripten, 'node_modules'))) symlinkSync('../nodejs', join(emscripten, 'node_modules'));
  // The place where Emscripten looks by itself, so that a build folder can also
  // be rebuilt by plain cmake or ninja, without EM_CONFIG.
  writeFileSync(join(emscripten, '.emscripten'), `
LLVM_ROOT = '${finalRoot}/usr/lib/llvm-19/bin'
BINARYEN_ROOT = '${finalRoot}/usr'
NODE_JS = '${process.execPath}'
CACHE = '${finalRoot}/usr/share/emscripten/cache'
# The package brings every system library built; nothing may clear them.
FROZEN_CACHE = True
`);
  writeFileSync(join(folder, 'README'), `Emscripten 3.1.69 from Debian 13, for building onnx-reduce. Safe to delete.\nPlace: ${finalFolder}\n`);
}

/**
 * Fetches and prepares everything in `folder` so that it works once it is
 * renamed to `finalFolder`.
 */
export function fetchDebianEmscripten(folder, finalFolder) {
  const mirror = checkPlatform(dirname(folder));
  mkdirSync(folder, { recursive: true });
  const archives = download(folder, mirror);
  const root = join(folder, 'root');
  const finalRoot = join(finalFolder, 'root');
  unpack(archives, root);
  relocate(root, finalRoot);
  configure(root, finalRoot, folder, finalFolder);
  rmSync(join(folder, 'apt'), { recursive: true, force: true });
}
