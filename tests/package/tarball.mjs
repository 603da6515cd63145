// The packed package: made by npm pack, installed by npm install, and judged by
// publint, attw and our own list of what belongs in it.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execute } from './app.mjs';

const project = fileURLToPath(new URL('../..', import.meta.url));
const tools = fileURLToPath(new URL('./node_modules', import.meta.url));

/** Packs the project and installs it into a new folder; the tools are linked in beside it. */
export async function packAndInstall(workspace) {
  mkdirSync(workspace, { recursive: true });
  writeFileSync(join(workspace, 'package.json'), '{ "name": "apps", "private": true }\n');
  // What the scripts of the project would build is there already.
  const said = await execute('npm', ['pack', '--ignore-scripts', '--json', '--loglevel=error', '--pack-destination', workspace], { cwd: project });
  const answer = JSON.parse(said.slice(said.search(/[[{]/)));
  // npm 12 answers with an object by name where older ones have an array.
  const [packed] = Array.isArray(answer) ? answer : Object.values(answer);
  const tarball = join(workspace, packed.filename);
  await execute('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', '--offline', tarball], { cwd: workspace });
  const modules = join(workspace, 'node_modules');
  for (const name of readdirSync(tools)) {
    if (name.startsWith('.') || existsSync(join(modules, name))) continue;
    symlinkSync(join(tools, name), join(modules, name), 'junction');
  }
  return { tarball, packed, installed: join(modules, 'onnx-reduce') };
}

/** Takes the package out again, for apps that install it by themselves. */
export function removeTarball(tarball) {
  rmSync(tarball, { force: true });
}

/** Every path that the manifest promises. */
function promised({ main, module, types, jsdelivr, unpkg, bin, exports }) {
  const paths = [main, module, types, jsdelivr, unpkg, ...Object.values(bin)];
  const walk = (node) => {
    if (typeof node === 'string') paths.push(node);
    else for (const value of Object.values(node)) walk(value);
  };
  walk(exports);
  return [...new Set(paths.map((path) => path.replace(/^\.\//, '')))];
}

// All that may be in the tarball, by pattern.
const belongs = [
  /^package\.json$/, /^README\.md$/, /^LICENSE$/, /^CHANGELOG\.md$/, /^THIRD_PARTY_NOTICES\.md$/,
  /^dist\/(index|threads|shared|workerd|workerd-threads|cli|core-mt-glue|core-mt-inline|reduce-worker)(\.d)?\.(mjs|cjs|ts|cts|mts)$/,
  /^dist\/core(-mt)?\.wasm$/, /^dist\/onnx-reduce\.min\.js$/,
];

/** The checks of the tarball. */
export async function checkTarball(app, { tarball, packed }) {
  const paths = packed.files.map(({ path }) => path);
  await app.check('holds what the manifest promises', async () => {
    const missing = promised(app.manifest).filter((path) => !paths.includes(path));
    if (missing.length) throw new Error(`missing: ${missing.join(', ')}`);
  });
  await app.check('holds nothing else', async () => {
    const foreign = paths.filter((path) => !belongs.some((pattern) => pattern.test(path)));
    if (foreign.length) throw new Error(`it also holds ${foreign.join(', ')}`);
  });
  await app.check('has no dependencies', async () => {
    const { dependencies = {}, peerDependencies = {}, optionalDependencies = {} } = app.manifest;
    const names = Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies });
    if (names.length) throw new Error(`it depends on ${names.join(', ')}`);
  });
  await app.check('its default entry is small before compression, too', async () => {
    const { size } = packed.files.find(({ path }) => path === 'dist/index.mjs');
    if (size > 250_000) throw new Error(`dist/index.mjs has ${size} bytes, more than 250 000`);
  });
  await app.check('names no file of the machine that built it', async () => {
    for (const path of paths.filter((name) => /\.(mjs|cjs|js|ts|cts|json)$/.test(name))) {
      const text = readFileSync(join(app.installed, path), 'utf8');
      const found = text.includes(project.replace(/\/$/, '')) ? project : /file:\/\/\/\w/.exec(text)?.[0];
      if (found) throw new Error(`${path} holds ${found}`);
    }
  });
  await app.check('passes publint', async () => {
    const said = await app.tool('publint', 'src/cli.js', [tarball, '--strict']);
    if (!/All good/i.test(said)) throw new Error(said);
  });
  await app.check('passes attw', async () => {
    await app.tool('@arethetypeswrong/cli', 'dist/index.js', [tarball, '--no-color', '--no-emoji',
      // These are no modules with types: files to be fetched, and a script.
      '--exclude-entrypoints', './core.wasm', './core-mt.wasm', './reduce-worker.mjs', './package.json']);
  });
}
