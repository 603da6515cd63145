// The demo page, driven as a visitor would: results that are known, errors where
// they belong, axe-core's rules, and a screenshot of each state in artifacts/.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
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
  { name: 'no data', hash: 'sample=nowhere.npy', wait: "document.getElementById('data-error').innerText !== ''", expect: { 'data-error': 'nowhere.npy', 'result-none': 'no data', 'chips-label': 'once there is data' } },
  { name: 'a scalar to reduce', hash: 'data=ramp&shape=&op=ReduceSumSquare', expect: { 'shape-count': '1 element', 'out-chips': 'scalar', 'out-text': 'float32 scalar' } },
  { name: 'an empty set', hash: 'data=ramp&shape=0x3&op=ReduceLogSum&axes=0&keepdims=0', expect: { 'result-view': '-Infinity', figures: /^(?![\s\S]*Throughput)/ } },
  { name: 'NaN on a line', hash: 'data=bell&shape=64x3&op=ReduceLogSum&axes=1&keepdims=0&view=line', expect: { 'result-view': 'leave gaps' } },
  { name: 'NaN on a heatmap', hash: 'data=bell&shape=64x64x3&op=ReduceLogSum&axes=2&keepdims=0&view=heatmap', expect: { 'result-view': 'NaN' } },
  { name: 'infinite results on a line', hash: 'data=ramp&shape=64x64&type=float16&op=ReduceSumSquare&axes=1&keepdims=0&view=line', expect: { 'result-view': 'every value is NaN or infinite' } },
  { name: 'many dims on a phone', hash: 'data=ramp&shape=2x3x2x3x2x3&op=ReduceSumSquare&axes=1.3&view=heatmap', size: phone },
  { name: 'integers at their newest opset', hash: 'data=ramp&shape=5&type=int32&op=ReduceLogSum', expect: { 'result-view': '2' } },
  { name: 'type that the opset lacks', hash: 'data=ramp&shape=4&type=bfloat16&op=ReduceSumSquare&opset=11', wait: "document.getElementById('opset-error').innerText !== ''", expect: { 'opset-error': 'bfloat16' } },
];

/** Files to drop, as text or bytes, and what the page says to them. */
const npy = (descr, dims, data) => {
  const header = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${dims.join(', ')}${dims.length === 1 ? ',' : ''}), }`.padEnd(117) + '\n';
  return Buffer.concat([Buffer.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, header.length, 0]), Buffer.from(header), Buffer.from(data.buffer)]);
};
const drops = [
  { name: 'an array', files: { 'it\'s "one".npy': npy('<f4', [2, 2], new Float32Array([1, 2, 3, 4])) }, expect: { 'loaded-name': 'it\'s "one".npy', 'loaded-facts': '[2, 2]', 'data-error': /^$/ } },
  { name: 'two arrays', files: { 'a.npy': npy('<f8', [2], new Float64Array(2)), 'b.npy': npy('<f8', [3], new Float64Array(3)) }, expect: { 'loaded-note': 'the first of 2 files' } },
  { name: 'a truncated array', files: { 'short.npy': npy('<f4', [200, 3], new Float32Array(6)) }, expect: { 'data-error': /short\.npy: byte/, 'loaded-name': 'Ramp' } },
  { name: 'an array of a type that is not there', files: { 'bytes.npy': npy('|u1', [4], new Uint8Array(4)) }, expect: { 'data-error': 'uint8', 'loaded-name': 'Ramp' } },
  { name: 'an empty tensor file', files: { 'empty.pb': '' }, expect: { 'data-error': 'empty file' } },
  { name: 'a broken model', files: { 'broken.onnx': 'no model' }, expect: { 'data-error': 'broken.onnx' } },
  { name: 'a text', files: { 'notes.txt': 'hello' }, expect: { 'data-error': 'not a .npy' } },
];
const drop = (files) => `(() => {
  const carried = new DataTransfer();
  for (const [name, text] of ${JSON.stringify(Object.entries(files).map(([name, content]) => [name, Buffer.from(content).toString('base64')]))}) {
    carried.items.add(new File([Uint8Array.from(atob(text), (character) => character.charCodeAt(0))], name));
  }
  document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: carried }));
})()`;

/** Links whose snippet is run in Node.js, on both sides of where threads begin to help. */
const snippets = [
  ...['float32', 'float64', 'float16', 'bfloat16', 'int32', 'uint32', 'int64', 'uint64'].map((type) => `data=bell&shape=30x4&type=${type}&op=ReduceSumSquare&axes=1&keepdims=0`),
  ...['uniform', 'tenths', 'cancellation', 'wide', 'ripples', 'ramp'].map((rule) => `data=${rule}&shape=40x4000&type=float64&op=ReduceSumSquare&axes=1`),
  'data=bell&shape=64x3&op=ReduceLogSum&opset=13&axes=-1', 'data=ramp&shape=&op=ReduceLogSum', 'data=ramp&shape=2x3&op=ReduceLogSum&noop=map',
  'sample=penguins.npy&op=ReduceSumSquare&axes=0', 'sample=reduce_log_sum.onnx',
];

/** Runs a snippet beside the samples, and gives the elements that it prints. */
function runSnippet(code) {
  const project = fileURLToPath(new URL('../..', import.meta.url));
  const file = join(project, 'build/snippets/reduce.mjs');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, code.replace('console.log(y.type, y.dims, y.data)', 'console.log(JSON.stringify([y.type, y.dims, Array.from(y.data, String)]))'));
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], { cwd: join(project, 'web/public/data'), encoding: 'utf8', timeout: 60_000 });
  equal(status, 0, `the exit code of the snippet that says ${stderr} and`);
  return JSON.parse(stdout);
}

/** The shown elements' bits, by which they are the same or not. */
const shownBits = "[...document.querySelectorAll('#result-view td[title]')].map((cell) => BigInt(cell.title.split('  ')[1]).toString()).concat([...document.querySelectorAll('.scalar .hint')].map((hint) => BigInt(hint.innerText.split('bits ')[1]).toString()))";
function bitsOf(type, elements) {
  if (type.endsWith('float16')) return elements;
  const make = { float32: [Float32Array, Uint32Array], float64: [Float64Array, BigUint64Array], int32: [Int32Array, Uint32Array], uint32: [Uint32Array, Uint32Array], int64: [BigInt64Array, BigUint64Array], uint64: [BigUint64Array, BigUint64Array] }[type];
  const values = make[0].from(elements, make[0].name.startsWith('Big') ? BigInt : Number);
  return Array.from(new make[1](values.buffer), String);
}

/** Waits until an element has a text: parts of the page are drawn when the browser gets round to it. */
function untilText(id, expected) {
  const condition = typeof expected === 'string' ? `${text(id)}.includes(${JSON.stringify(expected)})` : `${expected}.test(${text(id)})`;
  return until(condition, `${expected} in #${id}`);
}

/** Runs the checks of the demo page in one browser: all of them, or those with `wanted` in their name. */
export async function checkDemo(browser, { engine, origin, artifacts, wanted = '' }) {
  const checks = new Checks();
  mkdirSync(artifacts, { recursive: true });
  // Pictures of earlier runs would only mislead.
  for (const name of wanted ? [] : readdirSync(artifacts)) if (name.startsWith(`demo-${engine}-`)) rmSync(join(artifacts, name));
  const picture = (name) => join(artifacts, `demo-${engine}-${name.replace(/[^a-z0-9]+/gi, '-')}.png`);
  // A driven Firefox stops starting workers inside of workers after some dozens
  // (see engines/firefox.mjs): only the state that is about threads has them there.
  const usual = engine === 'firefox' ? 'plain' : 'isolated';
  const address = (hash, set = usual) => `${origin}/${set}/demo/${hash ? `#${hash}` : ''}`;
  const visit = async (name, url, options, body) => {
    if (!name.includes(wanted)) return;
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
  for (const { name, files, expect } of drops) {
    await visit(`drops ${name}`, address(small), {}, async (page) => {
      await page.evaluate(until(hasResult, 'a result'));
      await page.evaluate(drop(files));
      for (const [id, expected] of Object.entries(expect)) await page.evaluate(untilText(id, expected));
      await page.screenshot(picture(`drops ${name}`));
    });
  }
  await visit('tells how many threads took part', address('data=ramp&shape=1024x1024&type=float32&op=ReduceSumSquare&axes=1', 'isolated'), {}, async (page) => {
    await page.evaluate(until(settled, 'the comparison'));
    const shared = engine !== 'webkit' && await page.evaluate('navigator.hardwareConcurrency > 1');
    await page.evaluate(untilText('contenders', shared ? /wasm memory, \d+ threads[\s\S]*array, one thread/ : /array, one thread[\s\S]*wasm memory, one thread/));
    await page.evaluate("(() => { const threads = document.getElementById('threads'); threads.value = '1'; threads.dispatchEvent(new Event('change')); })()");
    await page.evaluate(untilText('contenders', /array, one thread[\s\S]*wasm memory, one thread/));
    const bits = await page.evaluate("document.getElementById('contenders').innerText");
    ok(!/differ/.test(bits), `results differ: ${bits}`);
  });
  await visit('a new type keeps the newest opset', address('data=ramp&shape=5&type=float32&op=ReduceLogSum'), {}, async (page) => {
    await page.evaluate(until(hasResult, 'a result'));
    await page.evaluate("(() => { const type = document.getElementById('type'); type.value = 'int32'; type.dispatchEvent(new Event('change')); })()");
    await page.evaluate(untilText('out-text', 'int32'));
    await page.evaluate(untilText('result-view', '2'));
    equal(await page.evaluate(text('opset-error')), '', 'the error beside the opset');
  });
  // Engines differ in how the rules round, if at all; the rest of a snippet is the same everywhere.
  for (const hash of engine === 'chromium' ? snippets : snippets.filter((link) => /float64.*x4000|x4000.*float64/.test(link))) {
    await visit(`the snippet of ${hash} computes the same bits in Node.js`, address(`${hash}&view=numbers`), {}, async (page) => {
      await page.evaluate(until(`${hasResult} && (${shownBits}).length > 0`, 'the numbers'));
      const shown = await page.evaluate(shownBits);
      const [type, , elements] = runSnippet(await page.evaluate(text('snippet-text')));
      equal(shown, bitsOf(type, elements).slice(0, shown.length), 'what is shown');
    });
  }
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
