// Chromium, driven by playwright-core.
import { chromium } from 'playwright-core';

export const chromiumArguments = [
  // Its sandbox refuses to run as root.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run',
];

/** Starts Chromium; see engines/index.mjs for what is given back. */
export async function startChromium(program) {
  const browser = await chromium.launch({ executablePath: program, args: chromiumArguments });
  return {
    version: browser.version(),
    async open(url, { width = 1280, height = 900, dark = false } = {}) {
      const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light' });
      const page = await context.newPage();
      const errors = [];
      page.on('pageerror', (error) => errors.push(String(error)));
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text());
      });
      await page.goto(url);
      return {
        errors,
        evaluate: (expression) => page.evaluate(expression),
        resize: (size) => page.setViewportSize(size),
        press: (key) => page.keyboard.press(key),
        screenshot: async (path) => { await page.screenshot({ path }); },
        close: () => context.close(),
      };
    },
    close: () => browser.close(),
  };
}
