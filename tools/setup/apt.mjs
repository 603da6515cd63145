// What we know of the system's package manager: which mirrors it uses, and how
// to install packages that are missing.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError, explain, findProgram, progress, tryRun } from './report.mjs';

/** One-line format: deb [options] uri suite component... */
function parseOneLine(text) {
  const found = [];
  for (const line of text.split('\n')) {
    const match = /^\s*deb\s+(\[[^\]]*\]\s+)?(\S+)\s+(\S+)(.*)$/.exec(line.replace(/#.*/, ''));
    if (!match) continue;
    const signedBy = /signed-by=([^\s\]]+)/i.exec(match[1] ?? '')?.[1];
    found.push({ uri: match[2], suites: [match[3]], components: match[4].trim().split(/\s+/), signedBy });
  }
  return found;
}

/** deb822 format: stanzas of "Field: value" with continuation lines. */
function parseDeb822(text) {
  const found = [];
  for (const stanza of text.split(/\n\s*\n/)) {
    const fields = {};
    let last = '';
    for (const line of stanza.split('\n')) {
      if (line.startsWith('#')) continue;
      const match = /^([A-Za-z-]+):\s*(.*)$/.exec(line);
      if (match) {
        last = match[1].toLowerCase();
        fields[last] = match[2];
      } else if (last) {
        fields[last] += ` ${line.trim()}`;
      }
    }
    const list = (name) => (fields[name] ?? '').split(/\s+/).filter(Boolean);
    if (fields.enabled?.toLowerCase() === 'no' || !list('types').includes('deb')) continue;
    const signedBy = list('signed-by').find((path) => path.startsWith('/'));
    for (const uri of list('uris')) {
      found.push({ uri, suites: list('suites'), components: list('components'), signedBy });
    }
  }
  return found;
}

/** All package sources the system has: {uri, suites, components, signedBy}. */
export function systemSources(root = '/etc/apt') {
  const found = [];
  const read = (path) => {
    if (path.endsWith('.list')) found.push(...parseOneLine(readFileSync(path, 'utf8')));
    if (path.endsWith('.sources')) found.push(...parseDeb822(readFileSync(path, 'utf8')));
  };
  if (existsSync(join(root, 'sources.list'))) read(join(root, 'sources.list'));
  const parts = join(root, 'sources.list.d');
  if (existsSync(parts)) for (const name of readdirSync(parts).sort()) read(join(parts, name));
  return found;
}

/** The mirror from which this system takes Debian's main archive, or null. */
export function debianMirror() {
  // Debian's own suites only: third-party sources and the security archive,
  // which has another layout, don't carry a whole release.
  const release = /^(bullseye|bookworm|trixie|stable|oldstable|testing|sid|unstable)$/;
  return systemSources().find((source) => source.suites.some((suite) => release.test(suite)) &&
    source.components.includes('main') && !/security/.test(source.uri) && !/ubuntu/i.test(source.uri)) ?? null;
}

/** Which of these Debian packages are not installed. */
export function missingPackages(names) {
  const status = tryRun('dpkg-query', ['-W', '-f', '${Package} ${db:Status-Status}\n', ...names]).stdout;
  const installed = new Set(status.split('\n').filter((line) => line.endsWith(' installed')).map((line) => line.split(' ')[0]));
  return names.filter((name) => !installed.has(name));
}

/** True where packages can be installed at all: apt-get and root, or sudo that asks nothing. */
export function canInstall() {
  return findProgram('apt-get') !== null && rootPrefix() !== null;
}

function rootPrefix() {
  if (process.getuid?.() === 0) return [];
  return findProgram('sudo') && tryRun('sudo', ['-n', 'true']).status === 0 ? ['sudo', '-n'] : null;
}

/**
 * Installs what is missing of the named Debian packages.
 * @param {string[]} names
 * @param {string} purpose completes "needed for ..."
 */
export function ensurePackages(names, purpose) {
  if (!findProgram('dpkg-query')) {
    throw new SetupError(`The packages ${names.join(', ')} (for ${purpose}) can't be checked: this system has no dpkg.`,
      'use Debian 12 or newer, or install their equivalents with your package manager.');
  }
  const missing = missingPackages(names);
  if (missing.length === 0) return;
  const command = `apt-get install ${missing.join(' ')}`;
  const prefix = rootPrefix();
  if (prefix === null || !findProgram('apt-get')) {
    throw new SetupError(`Packages needed for ${purpose} are missing (${missing.join(', ')}) and installing them takes root.`,
      `run "${command}" as root, then this command again.`);
  }
  progress(`installing ${missing.join(', ')} (for ${purpose})`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };
  const apt = (...args) => {
    // A lock held by another apt (unattended upgrades) is waited for.
    const line = [...prefix, 'apt-get', '-q', '-y', '-o', 'DPkg::Lock::Timeout=300', ...args];
    return tryRun(line[0], line.slice(1), { env });
  };
  const install = () => apt('install', '--no-install-recommends', ...missing);
  let result = install();
  if (result.status !== 0) {
    // Most often the lists are absent or old: refresh them and try once more.
    const update = apt('update');
    if (update.status !== 0) throw explain('Refreshing the package lists', update.said, `run "apt-get update" by hand to see why.`);
    result = install();
  }
  if (result.status !== 0) throw explain(`Installing ${missing.join(', ')}`, result.said, `run "${command}" by hand to see why.`);
}
