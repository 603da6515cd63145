// What an app's test.mjs is given to build, run and judge the app with.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serve } from '../../tools/serve.mjs';
import { startServer } from '../browser/server.mjs';

const tools = new URL('./node_modules/', import.meta.url).pathname;
const isString = (value) => typeof value === 'string';

/** Runs a program to its end; gives back what it said, or throws with it. */
export function execute(program, args, { cwd, env = {}, seconds = 300 }) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd, stdio: ['ignore', 'pipe', 'pipe'], detached: true,
      env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', NODE_OPTIONS: '', ...env },
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => { said += text; });
    const timer = setTimeout(() => {
      said += `\n(ended after ${seconds} s)`;
      killGroup(child);
    }, seconds * 1000);
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      if (code === 0) resolve(said);
      else reject(new Error(`${[program, ...args].join(' ').slice(0, 300)} ended with code ${code}:\n${said.slice(-3000)}`));
    });
  });
}

function killGroup(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

/** Throws unless a report (see shared/report.js) is right. */
function judge(result, { threads, own = '14,77' }) {
  if (result.error) throw new Error(result.error);
  if (!(result.cases > 50)) throw new Error(`only ${result.cases} cases ran`);
  const wrong = [...result.wrong, ...(result.wrongInReducer ?? [])];
  if (wrong.length) throw new Error(`wrong: ${wrong.slice(0, 10).join(', ')} (${wrong.length} in all)`);
  if (result.own && `${result.own}` !== own) throw new Error(`the app's own result is ${result.own}`);
  if (result.threads !== threads) throw new Error(`it has ${result.threads} threads, not ${threads}: ${result.threadsReason}`);
}

export class App {
  results = [];
  skips = [];

  /**
   * @param {{ name: string, folder: string, installed: string, manifest: object, cdn: string, browser: object | null, log: (text: string) => void }} surroundings
   *   `installed` is where npm put the package; `all` says whether slow checks are wanted; `browser` has open(), or is null where there is none
   */
  constructor(surroundings) {
    Object.assign(this, surroundings);
  }

  /** Runs one check; one that throws has failed. */
  async check(name, body) {
    const begin = Date.now();
    try {
      await body();
      this.results.push({ name });
    } catch (error) {
      if (error instanceof Skip) {
        this.skips.push(`${this.name}: ${name}: ${error.message}`);
        return false;
      }
      this.results.push({ name, error: error.message });
      this.log(`  FAILED ${this.name}: ${name}\n    ${error.message.replaceAll('\n', '\n    ')}`);
      return false;
    } finally {
      if (process.env.VERBOSE) this.log(`  ${name}: ${((Date.now() - begin) / 1000).toFixed(1)} s`);
    }
    return true;
  }

  execute(program, args, options = {}) {
    return execute(program, args, { cwd: this.folder, ...options });
  }

  /** Runs a script with this Node, or with the one given. */
  node(args, { program = process.execPath, ...options } = {}) {
    return this.execute(program, args, options);
  }

  /** Runs the program of a package of tests/package, by its path in it. */
  tool(name, path, args, options) {
    const program = this.#toolPath(name, path);
    // npm may have put a native program in the place of a script (esbuild does).
    const isScript = /^(#!|\s*['"/(\w])/.test(readFileSync(program, { encoding: 'latin1', flag: 'r' }).slice(0, 20));
    return isScript ? this.node([program, ...args], options) : this.execute(program, args, options);
  }

  /** The app's own copy of a tool, where it installed one. */
  #toolPath(name, path) {
    const own = join(this.folder, 'node_modules', name, path);
    return existsSync(own) ? own : join(tools, name, path);
  }

  /** A program that reports on its output. */
  async expectNode(args, expected, options) {
    const said = await this.node(args, { seconds: 60, ...options });
    const line = said.split('\n').find((text) => text.startsWith('RESULT '));
    if (!line) throw new Error(`it printed no result:\n${said.slice(-2000)}`);
    judge(JSON.parse(line.slice(7)), expected);
  }

  /** A page that reports in its element #result; `expectedErrors` may stand in its console. */
  async expectPage(url, expected, expectedErrors = /^$/) {
    if (!this.browser) throw new Skip('there is no Chromium');
    const page = await this.browser.open(url);
    try {
      const text = await page.evaluate(`new Promise((resolve) => {
        const end = Date.now() + 40000;
        const look = () => {
          const text = document.getElementById('result')?.textContent;
          if (text || Date.now() > end) resolve(text ?? null);
          else setTimeout(look, 50);
        };
        look();
      })`);
      if (!isString(text)) throw new Error(`the page reported nothing; its console: ${page.errors.join('\n') || 'empty'}`);
      judge(JSON.parse(text), expected);
      const errors = page.errors.filter((error) => !/favicon/.test(error) && !/404 \(/.test(error) && !expectedErrors.test(error));
      if (errors.length) throw new Error(`the console shows ${errors.join('\n')}`);
    } finally {
      await page.close();
    }
  }

  /**
   * The page of a folder, served without and with the headers for threads.
   * Pass `threads: undefined` for a page that asks for none.
   */
  async checkServed(folder, options = {}) {
    for (const isolated of [false, true]) {
      const threads = 'threads' in options ? options.threads : isolated ? 2 : 1;
      await this.check(`${folder === '.' ? '' : `${folder}/`}${options.path ?? ''} computes${isolated ? ' with the headers for threads' : ''}`.trim(), async () => {
        // serve-handler strips .html, so the page is asked for without it.
        const { url, server } = await serve(join(this.folder, folder), { port: 8300, host: '127.0.0.1', isolated });
        try {
          await this.expectPage(`${url}${options.path ?? ''}`, { threads });
        } finally {
          server.closeAllConnections();
          await new Promise((resolve) => { server.close(resolve); });
        }
      });
    }
  }

  /**
   * The page of a folder under a strict policy, which forbids blob: workers, and
   * the headers for threads: the worker's file must have come along. `set` names
   * another set of headers of ../browser/server.mjs.
   */
  async checkStrict(folder, { set = 'isolated-csp' } = {}) {
    await this.check(`${folder}/ computes under a strict policy, with threads`, async () => {
      const server = await startServer({ app: join(this.folder, folder) });
      try {
        await this.expectPage(`${server.origin}/${set}/app/index.html`, { threads: 2 }, /Content.Security.Policy/i);
      } finally {
        server.close();
      }
    });
  }

  /** Runs a body while a server of a tool is up, with the address that matches in what it says. */
  async withServer([name, path, ...args], pattern, body, { env = {}, seconds = 90 } = {}) {
    const child = spawn(process.execPath, [this.#toolPath(name, path), ...args], {
      cwd: this.folder, stdio: ['ignore', 'pipe', 'pipe'], detached: true, env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', NODE_OPTIONS: '', ...env },
    });
    const atExit = () => killGroup(child);
    process.once('exit', atExit);
    try {
      let said = '';
      const url = await new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`it named no address within ${seconds} s:\n${said}`)), seconds * 1000);
        const listen = (text) => {
          said += text;
          const match = pattern.exec(said);
          if (!match) return;
          clearTimeout(timer);
          resolve(match[1]);
        };
        for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', listen);
        child.once('error', reject);
        child.once('exit', (code) => reject(new Error(`it ended with code ${code}:\n${said}`)));
      });
      await body(url);
    } finally {
      process.removeListener('exit', atExit);
      killGroup(child);
    }
  }

  /** Installs packages of exactly these versions into the app's folder. */
  async install(packages) {
    await this.execute('npm', ['install', '--save-exact', '--no-audit', '--no-fund', '--loglevel=error', ...packages], { seconds: 900 });
  }
}

/** Thrown by a check that can't be made here. */
export class Skip extends Error {}
