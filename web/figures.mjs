// Takes the pictures of the demo page that the documentation shows, from the
// built web/dist: docs/images/demo-light.webp and demo-dark.webp. The times in
// them are real, so run it on a quiet machine:
//
//   node web/figures.mjs [CHROMIUM]
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { serve } from '../tools/serve.mjs';

const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const state = '#sample=galaxies.jpg&op=ReduceSumSquare&axes=2&keepdims=0&view=heatmap';
const size = { width: 1280, height: 860 };

/** WebP is a third of PNG here, and the browser at hand can write it. */
function toWebp(page, png) {
  return page.evaluate(async (source) => {
    const picture = new Image();
    picture.src = source;
    await picture.decode();
    const canvas = Object.assign(document.createElement('canvas'), { width: picture.width, height: picture.height });
    canvas.getContext('2d').drawImage(picture, 0, 0);
    return canvas.toDataURL('image/webp', 0.86);
  }, `data:image/png;base64,${png.toString('base64')}`);
}

const { url, server } = await serve(path('web/dist'));
const browser = await chromium.launch({
  executablePath: process.argv[2] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'],
});
mkdirSync(path('docs/images'), { recursive: true });
for (const colorScheme of ['light', 'dark']) {
  const page = await browser.newPage({ viewport: size, colorScheme });
  await page.goto(url + state);
  await page.waitForSelector('tr[data-who=loop] .bar', { timeout: 60_000 });
  // What was measured while the page was still loading is not what it can do.
  await page.click('#again');
  await page.waitForSelector('tr[data-who=loop] .bar', { state: 'detached', timeout: 60_000 });
  await page.waitForSelector('tr[data-who=loop] .bar', { timeout: 60_000 });
  await page.evaluate(() => scrollTo(0, 0));
  await page.hover('.heatmap', { position: { x: 652, y: 150 } });
  const webp = await toWebp(page, await page.screenshot());
  writeFileSync(path(`docs/images/demo-${colorScheme}.webp`), Buffer.from(webp.split(',')[1], 'base64'));
  await page.close();
}
await browser.close();
server.close();
