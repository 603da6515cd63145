// How the set-up speaks and runs programs: short progress lines on stderr, and
// failures that are one sentence and a next step instead of a stack trace.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A failure the user can do something about. */
export class SetupError extends Error {
  /**
   * @param {string} what one sentence: what went wrong
   * @param {string} next one sentence: what to do now
   */
  constructor(what, next) {
    super(`${what}\n  Next step: ${next}`);
    this.name = 'SetupError';
  }
}

/** Prints one progress line. */
export function progress(text) {
  process.stderr.write(`[setup] ${text}\n`);
}

/** The full path of a program on PATH, or null. */
export function findProgram(name) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, name);
    if (folder && existsSync(path)) return path;
  }
  return null;
}

/** Runs a program quietly; returns its status and everything it said. */
export function tryRun(program, args, options = {}) {
  const result = spawnSync(program, args, {
    encoding: 'utf8', maxBuffer: 64 << 20, stdio: ['ignore', 'pipe', 'pipe'], ...options,
  });
  const said = `${result.stdout ?? ''}${result.stderr ?? ''}`;
  return { status: result.status ?? 1, stdout: result.stdout ?? '', said, error: result.error };
}

// What the tools say when the cause lies outside of us. The first match wins.
const causes = [
  [/No space left on device|don't have enough free space|ENOSPC/i, 'there is no space left on the disk',
    'free about 2 GB (or point XDG_CACHE_HOME at a folder that has them) and run the command again'],
  [/Could not resolve|Temporary failure resolving|Network is unreachable|Connection (failed|refused|timed out)|Could not connect|Unable to connect|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED/i,
    'the network could not be reached', 'check the connection (and proxy settings) and run the command again'],
  [/Permission denied|EACCES|are you root|Operation not permitted|EROFS/i, 'the rights for it are missing',
    'run the command as a user who may write there, or set XDG_CACHE_HOME to a folder of yours'],
  [/NO_PUBKEY|is not signed|couldn't be verified/i, "the mirror's signature could not be checked",
    'update the package debian-archive-keyring (apt-get install debian-archive-keyring) and run the command again'],
];

/** Turns what a failed program said into a SetupError. */
export function explain(doing, said, fallbackNext) {
  for (const [pattern, cause, next] of causes) {
    if (pattern.test(said)) return new SetupError(`${doing} failed: ${cause}.`, `${next}.`);
  }
  // A compiler's errors may stand far above its last words.
  const lines = said.trim().split('\n');
  const errors = lines.filter((line) => /\berror\b/i.test(line));
  const telling = errors.length ? errors.slice(0, 30) : lines.slice(-8);
  return new SetupError(`${doing} failed:\n    ${telling.map((line) => line.slice(0, 2000)).join('\n    ')}`, fallbackNext);
}

/** Runs a program quietly and throws a SetupError, saying what it was for, when it fails. */
export function mustRun(doing, program, args, options = {}, next = 'read the lines above and run the command again.') {
  const result = tryRun(program, args, options);
  if (result.status !== 0) throw explain(doing, result.error ? String(result.error) : result.said, next);
  return result.stdout;
}

/** Runs a program whose output the user should see; resolves to its exit code. */
export function runVisibly(program, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options });
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(code ?? (signal ? 1 : 0)));
  });
}

/** Runs the body of a tool; prints a SetupError as plain text and exits 1. */
export async function runTool(body) {
  try {
    await body();
  } catch (error) {
    process.stderr.write(`\n${error instanceof SetupError ? error.message : error?.stack ?? error}\n`);
    process.exitCode = 1;
  }
}
