// The three engines behind one small interface:
//   start(program) -> { version, open(url, { width, height, dark }), close() }
//   open() -> { errors, evaluate(expression), resize({ width, height }), press(key), screenshot(path), close() }
// An engine may also have openAlone(url), for pages that only report by
// themselves: a browser that shows the page without being driven.
// `hasThreads` tells whether pages get shared memory at all.
// `evaluate` takes the text of an expression, may wait for a promise, and gives
// back what JSON can carry.
import { startChromium } from './chromium.mjs';
import { startFirefox } from './firefox.mjs';
import { startWebKit } from './webkit.mjs';

export const engines = {
  chromium: { title: 'Chromium', hasThreads: true, start: startChromium },
  firefox: { title: 'Firefox', hasThreads: true, start: startFirefox },
  webkit: { title: 'WebKitGTK', hasThreads: false, start: startWebKit },
};
