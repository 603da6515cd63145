// The code that does what the page just did: for a file it reads that file, for
// generated data it holds the rule, so that it runs as it stands. The command
// line that does the same is in command.ts.

import generatorText from './generators.js?raw';
import { isFloating, newestOpset, operatorOf, typeOf, versionOf, worthSharing } from './operators';
import { ruleTable } from './rules';
import type { Loaded, Settings, TypeName } from './protocol';

/** A text as a JavaScript literal. */
function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll('\'', '\\\'')}'`;
}

/** The text of one function of generators.js, without its export. */
function functionText(name: string): string {
  const found = new RegExp(`^export (function ${name}\\b[\\s\\S]*?^\\})`, 'm').exec(generatorText);
  return found?.[1] ?? '';
}

/** The options that differ from what the package takes anyway. */
function optionsText({ operator, opset, axes, keepdims, noop }: Settings, type: TypeName): string {
  const options: string[] = [];
  if (axes.length > 0) options.push(`axes: [${axes.join(', ')}]`);
  if (!keepdims) options.push('keepdims: false');
  if (noop !== 'off') options.push(`noopWithEmptyAxes: ${noop === 'identity' ? '\'identity\'' : 'true'}`);
  if (versionOf(operatorOf(operator), opset)?.since !== newestOpset(operatorOf(operator), type)) options.push(`opset: ${opset}`);
  return options.length > 0 ? `, { ${options.join(', ')} }` : '';
}

/** What the parts of a snippet have to agree on. */
interface Plan {
  loaded: Loaded;
  settings: Settings;
  /** Whether a reducer with threads does the work: it takes enough data, in memory that they share. */
  threaded: boolean;
}

export function jsSnippet(given: Loaded, settings: Settings): string {
  const loaded: Loaded = { ...given, ...given.origin };
  const { layout, recipe } = loaded;
  const strided = layout?.fortranOrder === true && loaded.dims.length > 1;
  const plan: Plan = { loaded, settings, threaded: settings.threads !== 1 && loaded.bytes >= worthSharing && !strided };
  const body = recipe ? generated(plan)
    : layout?.format === 'image' ? picture(plan)
    : layout?.offset !== undefined ? file(plan)
    : literal(plan);
  const { lines, after } = imports(plan);
  const place = layout?.format === 'image' ? 'for a page that your bundler builds, with the picture beside it' : 'then save as reduce.mjs';
  return [`// npm install onnx-reduce, ${place}`, ...body.imports, ...lines, ...body.lines, ...after].join('\n');
}

/** With threads the function comes from a reducer, else from the package itself. */
function imports({ settings, threaded }: Plan): { lines: string[]; after: string[] } {
  const { jsName } = operatorOf(settings.operator);
  if (!threaded) return { lines: [`import { ${jsName} } from 'onnx-reduce';`], after: [] };
  const threads = settings.threads === 'auto' ? '\'auto\'' : String(settings.threads);
  return {
    lines: ['import { createReducer } from \'onnx-reduce/threads\';', '', `const reducer = await createReducer({ threads: ${threads} });`],
    after: ['reducer.dispose();'],
  };
}

/** Makes `x`, whose elements are `data`, still to be filled. */
function storage({ loaded, threaded }: Plan, dims = loaded.dims.join(', '), count = String(loaded.elements)): string[] {
  const { type } = loaded;
  if (threaded) {
    return ['// In memory that the threads share.', `const x = reducer.allocate('${type}', [${dims}]);`, 'const { data } = x;'];
  }
  return [`const data = new ${typeOf(type).array}(${count});`, tensor(loaded, dims)];
}

/** `type` has to be said where the array does not tell it. */
function tensor({ type }: Loaded, dims: string, more = ''): string {
  const named = type === 'float16' || type === 'bfloat16' ? `, type: '${type}'` : '';
  return `const x = { data, dims: [${dims}]${named}${more} };`;
}

function call({ loaded, settings, threaded }: Plan): string[] {
  const { jsName } = operatorOf(settings.operator);
  return [`const y = ${threaded ? 'reducer.' : ''}${jsName}(x${optionsText(settings, loaded.type)});`, 'console.log(y.type, y.dims, y.data);'];
}

interface Body { imports: string[]; lines: string[] }

function generated(plan: Plan): Body {
  const { recipe, type, dims } = plan.loaded;
  const { rule, seed } = recipe!;
  if (rule === 'tenths' && (type === 'float32' || type === 'float64')) {
    return { imports: [], lines: ['', ...storage(plan), 'data.fill(0.1);', ...call(plan)] };
  }
  const ruleText = functionText(rule);
  const functions = [ruleText.includes('random(') ? functionText('random') : '', ruleText];
  let value = `${rule}(i, ${seed}, [${dims.join(', ')}])`;
  if (type === 'float16') functions.push(functionText('toFloat16'));
  if (type === 'bfloat16') functions.push(functionText('toBfloat16'));
  const scale = ruleTable[rule]!.scale;
  if (!isFloating(type) && scale !== 1) value = `${scale} * ${value}`;
  if (type === 'float16') value = `toFloat16(${value})`;
  if (type === 'bfloat16') value = `toBfloat16(${value})`;
  if (type === 'int64' || type === 'uint64') value = `BigInt(Math.trunc(${value}))`;
  return {
    imports: [],
    lines: [
      ...functions.filter((text) => text !== '').flatMap((text) => ['', text]), '',
      ...storage(plan), `for (let i = 0; i < data.length; i += 1) data[i] = ${value};`, ...call(plan),
    ],
  };
}

/** The file's elements lie in one piece at a known byte: no reader is needed. */
function file(plan: Plan): Body {
  const { name, type, dims, elements, layout } = plan.loaded;
  const { array, bytes } = typeOf(type);
  const { offset = 0, bigEndian, fortranOrder } = layout!;
  const piece = `buffer.slice(byteOffset + ${offset}, byteOffset + ${offset + elements * bytes})`;
  const lines = ['', `const { buffer, byteOffset } = await readFile(${quoted(name)});`, `const bytes = ${piece};`];
  if (bigEndian && bytes > 1) lines.push(`Buffer.from(bytes).swap${bytes * 8}();`);
  if (plan.threaded) {
    lines.push(...storage(plan), `data.set(new ${array}(bytes));`);
  } else {
    let more = '';
    if (fortranOrder && dims.length > 1) {
      let step = 1;
      const strides = dims.map((dim) => { const stride = step; step *= dim; return stride; });
      more = `, strides: [${strides.join(', ')}]`;
    }
    lines.push(`const data = new ${array}(bytes);`, tensor(plan.loaded, dims.join(', '), more));
  }
  return { imports: ['import { readFile } from \'node:fs/promises\';'], lines: [...lines, ...call(plan)] };
}

function picture(plan: Plan): Body {
  const { name, dims, imageScale } = plan.loaded;
  const [, , channels = 3] = dims;
  const from = channels === 4 ? 'i' : 'Math.floor(i / 3) * 4 + i % 3';
  return {
    imports: [],
    lines: [
      '',
      `const picture = await createImageBitmap(await (await fetch(${quoted(encodeURI(name))})).blob());`,
      'const { width, height } = picture;',
      'const context = new OffscreenCanvas(width, height).getContext(\'2d\');',
      'context.drawImage(picture, 0, 0);',
      'const pixels = context.getImageData(0, 0, width, height).data;',
      ...storage(plan, `height, width, ${channels}`, `height * width * ${channels}`),
      `for (let i = 0; i < data.length; i += 1) data[i] = pixels[${from}]${imageScale === 'unit' ? ' / 255' : ''};`,
      ...call(plan),
    ],
  };
}

/** Elements that lie scattered in their file: the code only shows the call, on an array to fill. */
function literal(plan: Plan): Body {
  return { imports: [], lines: ['', `// To be filled with the data of ${plan.loaded.name.replaceAll(/\s+/g, ' ')}.`, ...storage(plan), ...call(plan)] };
}
