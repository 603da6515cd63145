// The demo page, driven as a visitor would: results that are known, errors where
// they belong, axe-core's rules, and a screenshot of each state in artifacts/.
import { mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Checks, equal, ok } from './page/harness.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const phone = { width: 390, height: 844 };
const small = 'data=ramp&shape=2x3&type=float32&seed=0';

// Expressions that run in the page.
const text = (id) => `document.getElementById(${JSON.stringify(id)}).innerText`;
const until = (condition, what) => `new Promise((resolve, reject) => {
  const end = Date.now() + 90_000;
  const look = () => {
    let value;
    try { value = ${condition}; } catch (error) { value = false; }
    if (value) resolve(value);
    else if (Date.now() > end) reject(new Error(${JSON.stringify(`waited in vain for ${what}`)} + '; the page says: ' + document.querySelector('main').innerText.slice(0, 1500)));
    else setTimeout(look, 50);
  };
  look();
})`;
const hasResult = "document.querySelector('#figures dd') && !document.getElementById('result-body').hidden";
// The others measure themselves after the result is there.
const settled = `${hasResult} && ['other', 'loop'].every((who) => document.querySelector('tr[data-who=' + who + '] .error-cell'))`;
const ruleBreaks = `(async () => {
  window.axe ?? (0, eval)(${JSON.stringify(axe)});
  const { violations } = await window.axe.run(document, { resultTypes: ['violations'] });
  return violations.map(({ id, impact, nodes }) => id + ' (' + impact + '): ' + nodes.slice(0, 3).map(({ target, failureSummary }) =>
    target.join(' ') + ' ' + (failureSummary ?? '').split('\\n').slice(0, 2).join(' ')).join('; '));
})()`;

/**
 * States that a link leads to. `expect` holds the texts to be found in elements;
 * `wait` what the state is known by.
 */
const states = [
  { name: 'first look', hash: '', expect: { 'out-text': 'float32 [1024]' } },
  { name: 'dark', hash: '', dark: true, only: ['chromium'] },
  { name: 'phone', hash: '', size: phone },
  { name: 'phone, dark', hash: 'sample=precipitation.npy&op=ReduceSumSquare&axes=0', size: phone, dark: true, only: ['chromium'] },
  { name: 'numbers', hash: `${small}&op=ReduceSumSquare&axes=1&keepdims=0&view=numbers`, expect: { 'out-text': 'float32 [2]', 'result-view': /\b5\b[\s\S]*\b50\b/ } },
  { name: 'scalar', hash: `${small}&op=ReduceLogSum&keepdims=0`, expect: { 'result-view': '2.7080' } },
  { name: 'keepdims', hash: `${small}&op=ReduceSumSquare&axes=0&keepdims=1`, expect: { 'out-text': 'float32 [1, 3]' } },
  { name: 'int64', hash: 'data=ramp&shape=5&type=int64&seed=0&op=ReduceSumSquare&opset=13', expect: { 'result-view': /\b30\b/ } },
  { name: 'heatmap of a picture', hash: 'sample=chelsea.npy&op=ReduceSumSquare&axes=2&keepdims=0&view=heatmap', expect: { 'loaded-name': 'chelsea' } },
  { name: 'line over a data set', hash: 'sample=precipitation.npy&op=ReduceSumSquare&axes=0&keepdims=0&view=line', expect: { 'loaded-name': 'precipitation' } },
  { name: 'picture from a jpeg', hash: 'sample=galaxies.jpg&op=ReduceLogSum&axes=0&keepdims=0', expect: { 'loaded-name': 'galaxies' } },
  { name: 'TensorProto', hash: 'sample=reduce_log_sum_data.pb&op=ReduceLogSum&axes=0&keepdims=0', expect: { 'loaded-name': 'reduce_log_sum_data' } },
  { name: 'model with its input', hash: 'sample=reduce_log_sum.onnx', expect: { 'loaded-name': 'reduce_log_sum' } },
  { name: 'axis out of range', hash: `${small}&op=ReduceSumSquare&axes=7`, wait: "document.getElementById('axes-error').innerText !== ''", expect: { 'axes-error': '7' } },
  { name: 'type that the opset lacks', hash: 'data=ramp&shape=4&type=bfloat16&op=ReduceSumSquare&opset=11', wait: "document.getElementById('opset-error').innerText !== ''", expect: { 'opset-error': 'bfloat16' } },
];

/** Waits until an element has a text: parts of the page are drawn when the browser gets round to it. */
function untilText(id, expected) {
  const condition = typeof expected === 'string' ? `${text(id)}.includes(${JSON.stringify(expected)})` : `${expected}.test(${text(id)})`;
  return until(condition, `${expected} in #${id}`);
}

/** Runs every check of the demo page in one browser. */
export async function checkDemo(browser, { engine, origin, artifacts }) {
  const checks = new Checks();
  mkdirSync(artifacts, { recursive: true });
  // Pictures of earlier runs would only mislead.
  for (const name of readdirSync(artifacts)) if (name.startsWith(`demo-${engine}-`)) rmSync(join(artifacts, name));
  const picture = (name) => join(artifacts, `demo-${engine}-${name.replace(/[^a-z0-9]+/gi, '-')}.png`);
  const address = (hash, set = 'isolated') => `${origin}/${set}/demo/${hash ? `#${hash}` : ''}`;
  const visit = async (name, url, options, body) => {
    await checks.check(name, async () => {
      const page = await browser.open(url, options);
      try {
        await body(page);
        equal(page.errors, [], 'what the console shows');
      } catch (error) {
        await page.screenshot(picture(`${name} FAILED`)).catch(() => {});
        throw error;
      } finally {
        await page.close();
      }
    });
  };

  for (const { name, hash, size, dark, only, wait = settled, expect = {} } of states) {
    if (only && !only.includes(engine)) continue;
    await visit(name, address(hash), { ...size, dark }, async (page) => {
      await page.evaluate(until(wait, `the state "${name}"`));
      for (const [id, expected] of Object.entries(expect)) await page.evaluate(untilText(id, expected));
      const overflow = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
      ok(overflow <= 0, `the page is ${overflow} pixels wider than the window`);
      await page.screenshot(picture(name));
      equal(await page.evaluate(ruleBreaks), [], "what breaks axe-core's rules");
    });
  }

  await visit('clicks on dims and options', address(`${small}&op=ReduceSumSquare&axes=1&keepdims=0`), {}, async (page) => {
    await page.evaluate(until(hasResult, 'a result'));
    await page.evaluate("document.querySelectorAll('#chips button')[0].click()");
    await page.evaluate(untilText('out-text', 'scalar'));
    await page.evaluate(untilText('result-view', /\b55\b/));
    await page.evaluate("document.getElementById('keepdims').click()");
    await page.evaluate(untilText('out-text', '[1, 1]'));
    await page.evaluate("document.querySelector('#operators input[value=ReduceLogSum]').click()");
    // ln 15
    await page.evaluate(untilText('result-view', '2.7080'));
    ok((await page.evaluate('location.hash')).includes('op=ReduceLogSum'), 'the link does not tell the operator');
  });
  await visit('works without isolation', address(`${small}&op=ReduceSumSquare&axes=1`, 'plain'), {}, async (page) => {
    await page.evaluate(until(hasResult, 'a result'));
    await page.evaluate(untilText('threads-note', /^One thread/));
    await page.screenshot(picture('not isolated'));
  });
  await visit('a wrong shape is named beside its field', address(''), {}, async (page) => {
    await page.evaluate(until(hasResult, 'a result'));
    await page.evaluate(`(() => { const shape = document.getElementById('shape'); shape.value = '3 x apple'; shape.dispatchEvent(new Event('input', { bubbles: true })); })()`);
    await page.evaluate(untilText('shape-error', 'whole numbers'));
    await page.screenshot(picture('wrong shape'));
  });
  await visit('compares with a plain loop', address(`data=tenths&shape=1048576&type=float32&op=ReduceSumSquare`), {}, async (page) => {
    await page.evaluate(until(settled, 'the comparison'));
    await page.screenshot(picture('comparison'));
  });
  if (engine === 'chromium') {
    await visit('compares with onnxruntime-web when asked', address('data=tenths&shape=1048576&type=float32&op=ReduceSumSquare'), {}, async (page) => {
      await page.evaluate(until(settled, 'the comparison'));
      await page.evaluate("document.querySelector('tr[data-who=ort] button').click()");
      const found = await page.evaluate(until("document.querySelector('tr[data-who=ort] .error-cell')?.innerText", 'its error'));
      ok(!/same bits/.test(found), `a float32 sum of a million tenths can't be right: ${found}`);
      await page.evaluate("document.getElementById('compare').scrollIntoView()");
      await page.screenshot(picture('onnxruntime'));
    });
    await visit('every control can be reached by the keyboard', address(small), {}, async (page) => {
      await page.evaluate(until(settled, 'a result and the comparison'));
      const wanted = await page.evaluate(`[...document.querySelectorAll('main button, main select, main input')].filter((e) => e.checkVisibility({ visibilityProperty: true }) && !e.disabled && e.tabIndex >= 0 && e.type !== 'radio' && e.role !== 'tab' && e.getAttribute('role') !== 'tab').map((e) => e.id || e.innerText)`);
      const reached = new Set();
      for (let i = 0; i < 80; i++) {
        await page.press('Tab');
        reached.add(await page.evaluate("document.activeElement.id || document.activeElement.innerText"));
      }
      equal(wanted.filter((name) => !reached.has(name)), [], 'what the Tab key never reaches');
    });
  }
  return checks.results;
}
