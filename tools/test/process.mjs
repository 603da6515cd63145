// Running a test runner: its output is shown as it comes, and a runner that
// hangs is ended with everything that it started.
import { spawn } from 'node:child_process';
import { project } from '../build/files.mjs';

// Each runner is a process group of its own, so the terminal's Ctrl-C doesn't
// reach it by itself.
const running = new Set();

function endGroup(leader) {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // The group has ended already.
  }
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    for (const leader of running) endGroup(leader);
    process.exit(130);
  });
}

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
    if (child.pid) running.add(child.pid);
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      endGroup(child.pid);
    }, minutes * 60_000);
    const finish = (code) => {
      clearTimeout(timer);
      running.delete(child.pid);
      resolve({ code, timedOut });
    };
    child.on('error', (error) => {
      process.stderr.write(`${program}: ${error.message}\n`);
      finish(127);
    });
    child.on('exit', (code) => finish(code ?? 1));
  });
}
