// Programs and libraries that come from the system's package manager.
import { SetupError, findProgram } from './report.mjs';
import { canInstall, ensurePackages, missingPackages } from './apt.mjs';

/** CMake and Ninja, and with `native` what the native tests and fuzzers need. */
export function ensureNativeTools({ native = true } = {}) {
  const build = ['cmake', 'ninja-build'];
  // libFuzzer and the sanitizers come in a package that follows clang's version.
  const tests = ['clang', 'libclang-rt-14-dev', 'libgtest-dev', 'libbenchmark-dev', 'libmpfr-dev'];
  if (findProgram('dpkg-query')) {
    if (!findProgram('clang')) ensurePackages(['clang'], 'the native build');
    return ensurePackages(native ? [...build, ...tests] : build, native ? 'the build and the native tests' : 'the build');
  }
  const missing = [['cmake', 'cmake'], ['ninja', 'ninja']].filter(([program]) => !findProgram(program)).map(([, name]) => name);
  if (missing.length) {
    throw new SetupError(`${missing.join(' and ')} not found on PATH.`, `install ${missing.join(' and ')} with your package manager and run the command again.`);
  }
}

// What makes each engine drivable, as Debian names it.
const engines = {
  chromium: { programs: ['chromium', 'chromium-browser', 'google-chrome'], packages: ['chromium', 'fonts-dejavu-core'] },
  firefox: { programs: ['firefox-esr', 'firefox'], packages: ['firefox-esr'] },
  webkit: { programs: ['WebKitWebDriver'], packages: ['webkit2gtk-driver', 'xvfb', 'xauth'] },
};

/**
 * Makes the browsers for the browser tests available where that can be done.
 * @param {string[]} names some of chromium, firefox, webkit
 * @returns {Record<string, {program: string | null, reason: string | null}>} for
 *   each engine the program to start, or the reason why there is none
 */
export function ensureBrowsers(names = Object.keys(engines)) {
  const result = {};
  for (const name of names) {
    const { programs, packages } = engines[name];
    const find = () => programs.map(findProgram).find(Boolean) ?? null;
    let program = find();
    let reason = null;
    const incomplete = name === 'webkit' && program && !findProgram('Xvfb');
    if (!program || incomplete) {
      if (canInstall()) {
        try {
          if (missingPackages(packages).length) ensurePackages(packages, `the tests in ${name}`);
          program = find();
          if (!program) reason = `installed, but none of ${programs.join(', ')} is on PATH`;
        } catch (error) {
          program = null;
          reason = error.message.split('\n')[0];
        }
      } else {
        program = null;
        reason = `not installed (Debian: apt-get install ${packages.join(' ')}, as root)`;
      }
    }
    result[name] = { program, reason };
  }
  return result;
}
