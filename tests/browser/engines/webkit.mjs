// WebKitGTK under a virtual display, driven by its WebKitWebDriver through plain
// W3C WebDriver calls.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { findProgram } from '../../../tools/setup/report.mjs';

/** The small browser that comes with the library; Debian keeps it beside its helper processes. */
function miniBrowser() {
  const onPath = findProgram('MiniBrowser');
  if (onPath) return onPath;
  for (const base of ['/usr/lib', '/usr/libexec', ...triplets()]) {
    for (const version of ['webkit2gtk-4.1', 'webkit2gtk-4.0', 'webkitgtk-6.0']) {
      const path = join(base, version, 'MiniBrowser');
      if (existsSync(path)) return path;
    }
  }
  return null;
}

function triplets() {
  return existsSync('/usr/lib') ? readdirSync('/usr/lib').filter((name) => name.endsWith('-linux-gnu')).map((name) => join('/usr/lib', name)) : [];
}

/** Starts Xvfb on the first free display number, which it tells through a pipe. */
function startDisplay() {
  return new Promise((resolve, reject) => {
    const child = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`Xvfb ended with code ${code}`)));
    let text = '';
    child.stdio[3].on('data', (chunk) => {
      text += chunk;
      if (text.includes('\n')) resolve({ child, display: `:${text.trim()}` });
    });
  });
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

const sleep = (milliseconds) => new Promise((resume) => { setTimeout(resume, milliseconds); });

// The codes of W3C WebDriver for keys that have no character.
const keyCodes = { Tab: '\uE004', Enter: '\uE007', Escape: '\uE00C', Space: ' ', ArrowLeft: '\uE012', ArrowUp: '\uE013', ArrowRight: '\uE014', ArrowDown: '\uE015' };

/** Starts WebKitGTK; see engines/index.mjs for what is given back. */
export async function startWebKit(program) {
  const binary = miniBrowser();
  const { child: display, display: name } = await startDisplay();
  const port = await freePort();
  const driver = spawn(program, [`--port=${port}`], {
    stdio: 'ignore',
    env: {
      ...process.env, DISPLAY: name, GDK_BACKEND: 'x11', LIBGL_ALWAYS_SOFTWARE: '1', NO_AT_BRIDGE: '1', GTK_A11Y: 'none',
      // Its sandbox (bubblewrap) can't be set up by root in a container.
      ...(process.getuid?.() === 0 ? { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1', WEBKIT_FORCE_SANDBOX: '0' } : {}),
    },
  });
  const stop = () => {
    driver.kill();
    display.kill();
  };
  process.once('exit', stop);

  const call = async (method, path, body) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, ...(method === 'POST' ? { body: JSON.stringify(body ?? {}) } : {}) });
    const { value } = await response.json();
    if (!response.ok) throw new Error(`WebDriver ${path.split('/').pop()}: ${value.error}: ${value.message}`);
    return value;
  };
  const newSession = () => call('POST', '/session', { capabilities: { alwaysMatch: {
    'webkitgtk:browserOptions': { args: ['--automation'], ...(binary ? { binary } : {}) },
  } } });

  let session;
  for (let attempt = 0; ; attempt++) {
    try {
      session = await newSession();
      break;
    } catch (error) {
      // The driver takes a moment until it listens.
      if (attempt === 50) {
        stop();
        throw error;
      }
      await sleep(200);
    }
  }
  const base = `/session/${session.sessionId}`;
  await call('POST', `${base}/timeouts`, { script: 300_000, pageLoad: 120_000 });

  return {
    version: session.capabilities.browserVersion,
    async open(url, { width = 1280, height = 900 } = {}) {
      const resize = (size) => call('POST', `${base}/window/rect`, { x: 0, y: 0, ...size });
      await resize({ width, height });
      await call('POST', `${base}/url`, { url });
      return {
        // The protocol has no console; pages that care collect their own errors.
        errors: [],
        evaluate: (expression) => call('POST', `${base}/execute/async`, {
          script: 'const done = arguments[arguments.length - 1]; Promise.resolve((' + expression + ')).then((value) => done({ value }), (error) => done({ error: String(error) }));',
          args: [],
        }).then(({ value, error }) => {
          if (error !== undefined) throw new Error(error);
          return value;
        }),
        resize,
        press: (key) => call('POST', `${base}/actions`, { actions: [{ type: 'key', id: 'keyboard', actions: ['keyDown', 'keyUp'].map((type) => ({ type, value: keyCodes[key] ?? key })) }] }),
        screenshot: async (path) => { writeFileSync(path, Buffer.from(await call('GET', `${base}/screenshot`), 'base64')); },
        close: () => call('POST', `${base}/url`, { url: 'about:blank' }),
      };
    },
    async close() {
      await call('DELETE', base).catch(() => {});
      process.removeListener('exit', stop);
      stop();
    },
  };
}
