// Runs one of this folder's scripts in a process of its own and reads the line
// of JSON that it prints last; what libraries print before is dropped.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** @returns {Promise<object>} what `node script argument` reports */
export function runChild(script, argument) {
  return new Promise((resolve, reject) => {
    const path = fileURLToPath(new URL(script, import.meta.url));
    const child = spawn(process.execPath, [path, argument], { stdio: ['ignore', 'pipe', 'pipe'] });
    let [out, errors] = ['', ''];
    child.stdout.on('data', (text) => { out += text; });
    child.stderr.on('data', (text) => { errors += text; });
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const last = out.trim().split('\n').at(-1);
      if (code === 0 && last?.startsWith('{')) resolve(JSON.parse(last));
      else reject(new Error(`${script} ended with ${signal ?? code}:\n${errors.trim().split('\n').slice(-12).join('\n')}`));
    });
  });
}
