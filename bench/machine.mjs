// What a reader must know of the machine to compare numbers; never its name.
import { existsSync, readFileSync } from 'node:fs';
import os from 'node:os';

function cacheSizes() {
  const folder = '/sys/devices/system/cpu/cpu0/cache';
  const read = (path) => (existsSync(path) ? readFileSync(path, 'utf8').trim() : '');
  const sizes = [];
  for (let i = 0; existsSync(`${folder}/index${i}`); i++) {
    const [level, kind, size] = ['level', 'type', 'size'].map((name) => read(`${folder}/index${i}/${name}`));
    if (kind !== 'Instruction') sizes.push(`L${level} ${size.replace(/K$/, ' kB')}`);
  }
  return sizes.join(', ');
}

/** The machine as a plain object of plain words. */
export function describeMachine() {
  const cpus = os.cpus();
  return {
    processor: `${cpus.length} x ${cpus[0]?.model.trim() || 'unknown processor'}`,
    caches: cacheSizes(),
    memory: `${Math.round(os.totalmem() / 2 ** 30)} GB`,
    system: `${os.type()} ${os.arch()}`,
    node: process.version,
    v8: process.versions.v8,
  };
}
