// Firefox as it is, driven by puppeteer-core over WebDriver BiDi.
import puppeteer from 'puppeteer-core';

/** Starts Firefox; see engines/index.mjs for what is given back. */
export async function startFirefox(program) {
  const browser = await puppeteer.launch({
    browser: 'firefox', executablePath: program, headless: true,
    extraPrefsFirefox: {
      // Nothing that calls home while the tests run.
      'app.update.enabled': false, 'datareporting.policy.dataSubmissionEnabled': false, 'toolkit.telemetry.enabled': false,
      'network.captive-portal-service.enabled': false, 'network.connectivity-service.enabled': false,
      'browser.safebrowsing.malware.enabled': false, 'browser.safebrowsing.phishing.enabled': false, 'extensions.getAddons.cache.enabled': false,
    },
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
    close: () => browser.close(),
  };
}
