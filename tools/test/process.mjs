// Running a test runner: its output is shown as it comes, and a runner that
// hangs is ended with everything that it started.
import { spawn } from 'node:child_process';
import { project } from '../build/files.mjs';

/**
 * @param {string} program
 * @param {string[]} args
 * @param {{ env?: Record<string, string>, minutes?: number }} options
 * @returns {Promise<{ code: number, timedOut: boolean }>}
 */
export function run(program, args, { env = {}, minutes = 30 } = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: project, env: { ...process.env, ...env }, stdio: ['ignore', 'inherit', 'inherit'], detached: true,
    });
    let timedOut = false;
    const end = (signal) => {
      try {
        process.kill(-child.pid, signal);
      } catch {
        // The group has ended already.
      }
    };
    const timer = setTimeout(() => {
      timedOut = true;
      end('SIGKILL');
    }, minutes * 60_000);
    // The child is a group of its own, so the terminal's Ctrl-C is passed on.
    const interrupt = () => {
      end('SIGKILL');
      process.exit(130);
    };
    process.once('SIGINT', interrupt);
    process.once('SIGTERM', interrupt);
    const finish = (code) => {
      clearTimeout(timer);
      process.removeListener('SIGINT', interrupt);
      process.removeListener('SIGTERM', interrupt);
      resolve({ code, timedOut });
    };
    child.on('error', (error) => {
      process.stderr.write(`${program}: ${error.message}\n`);
      finish(127);
    });
    child.on('exit', (code) => finish(code ?? 1));
  });
}
