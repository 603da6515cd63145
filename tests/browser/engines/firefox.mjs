// Firefox as it is, driven by puppeteer-core over WebDriver BiDi.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';

/** Nothing that calls home, or asks, while the tests run. */
const quiet = {
  'app.update.enabled': false, 'datareporting.policy.dataSubmissionEnabled': false, 'datareporting.policy.firstRunURL': '',
  'toolkit.telemetry.enabled': false, 'network.captive-portal-service.enabled': false, 'network.connectivity-service.enabled': false,
  'browser.safebrowsing.malware.enabled': false, 'browser.safebrowsing.phishing.enabled': false, 'extensions.getAddons.cache.enabled': false,
  'browser.aboutwelcome.enabled': false, 'termsofuse.bypassNotification': true,
};

/** A Firefox of its own that shows one page and that nobody is connected to. */
function openAlone(program, url) {
  const profile = mkdtempSync(join(tmpdir(), 'onnx-reduce-firefox-'));
  writeFileSync(join(profile, 'user.js'), Object.entries(quiet).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`).join(''));
  // A group of its own, as it starts processes that outlive it when it is killed.
  const child = spawn(program, ['--headless', '--no-remote', '--profile', profile, url], { stdio: 'ignore', detached: true });
  const ended = new Promise((resolve) => { child.once('exit', resolve); });
  const kill = (signal) => {
    try {
      process.kill(-child.pid, signal);
    } catch {
      // It has ended already.
    }
  };
  const atExit = () => kill('SIGKILL');
  process.once('exit', atExit);
  return {
    errors: [],
    evaluate: () => Promise.reject(new Error('nobody is connected to this Firefox')),
    async close() {
      kill('SIGTERM');
      const late = setTimeout(() => kill('SIGKILL'), 5000);
      await ended;
      clearTimeout(late);
      process.removeListener('exit', atExit);
      rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

/** Starts Firefox; see engines/index.mjs for what is given back. */
export async function startFirefox(program) {
  const browser = await puppeteer.launch({
    browser: 'firefox', executablePath: program, headless: true,
    extraPrefsFirefox: quiet,
  });
  return {
    version: (await browser.version()).replace(/^firefox\//i, ''),
    async open(url, { width = 1280, height = 900, dark = false } = {}) {
      const page = await browser.newPage();
      const errors = [];
      page.on('pageerror', (error) => errors.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text());
      });
      await page.setViewport({ width, height });
      if (dark) await page.emulateMediaFeatures?.([{ name: 'prefers-color-scheme', value: 'dark' }]).catch(() => {});
      await page.goto(url);
      return {
        errors,
        evaluate: (expression) => page.evaluate(expression),
        resize: (size) => page.setViewport(size),
        press: (key) => page.keyboard.press(key),
        screenshot: async (path) => { await page.screenshot({ path }); },
        close: () => page.close(),
      };
    },
    // While a WebDriver BiDi session is open, the constructor of a worker inside
    // of a worker may never return: after some dozens of them, whatever they
    // do. Without the session thousands are fine.
    openAlone: (url) => openAlone(program, url),
    close: () => browser.close(),
  };
}
