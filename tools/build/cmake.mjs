// Keeping CMake's build folders usable.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { project } from './files.mjs';

/**
 * Deletes a build folder that CMake would refuse: made for another place of
 * this project, or by a compiler that has gone.
 */
export function dropStaleFolder(folder) {
  const cache = join(folder, 'CMakeCache.txt');
  if (!existsSync(cache)) return;
  const text = readFileSync(cache, 'utf8');
  const value = (name) => new RegExp(`^${name}:[A-Z]+=(.*)$`, 'm').exec(text)?.[1];
  const source = value('CMAKE_HOME_DIRECTORY');
  const toolchain = value('CMAKE_TOOLCHAIN_FILE');
  if ((source && join(source, '/') !== join(project, '/')) || (toolchain && !existsSync(toolchain))) {
    rmSync(folder, { recursive: true, force: true });
  }
}
