// The code that does what the page just did: for a file it reads that file, for
// generated data it holds the rule, so that it runs as it stands.

import generatorText from './generators.js?raw';
import { isFloating, operatorOf, typeOf, versionOf } from './operators';
import { ruleTable } from './rules';
import type { Loaded, Settings, TypeName } from './protocol';

/** The text of one function of generators.js, without its export. */
function functionText(name: string): string {
  const found = new RegExp(`^export (function ${name}\\b[\\s\\S]*?^\\})`, 'm').exec(generatorText);
  return found?.[1] ?? '';
}

/** The options that differ from what the package takes anyway. */
function optionsText({ operator, opset, axes, keepdims, noop }: Settings): string {
  const options: string[] = [];
  if (axes.length > 0) options.push(`axes: [${axes.join(', ')}]`);
  if (!keepdims) options.push('keepdims: false');
  if (noop !== 'off') options.push(`noopWithEmptyAxes: ${noop === 'identity' ? '\'identity\'' : 'true'}`);
  const { versions } = operatorOf(operator);
  if (versionOf(operatorOf(operator), opset) !== versions.at(-1)) options.push(`opset: ${opset}`);
  return options.length > 0 ? `, { ${options.join(', ')} }` : '';
}

/** `type` has to be said where the array does not tell it. */
function tensorText(type: TypeName, dims: readonly number[], more = ''): string {
  const named = type === 'float16' || type === 'bfloat16' ? `, type: '${type}'` : '';
  return `{ data, dims: [${dims.join(', ')}]${named}${more} }`;
}

function call(settings: Settings, tensor: string): string[] {
  const { jsName } = operatorOf(settings.operator);
  const owner = settings.threads === 1 ? '' : 'reducer.';
  return [
    `const y = ${owner}${jsName}(${tensor}${optionsText(settings)});`,
    'console.log(y.type, y.dims, y.data);',
  ];
}

/** With threads the function comes from a reducer, else from the package itself. */
function imports(settings: Settings): { lines: string[]; after: string[] } {
  const { jsName } = operatorOf(settings.operator);
  if (settings.threads === 1) return { lines: [`import { ${jsName} } from 'onnx-reduce';`], after: [] };
  const threads = settings.threads === 'auto' ? '\'auto\'' : String(settings.threads);
  return {
    lines: [
      'import { createReducer } from \'onnx-reduce/threads\';', '',
      `const reducer = await createReducer({ threads: ${threads} });`,
    ],
    after: ['reducer.dispose();'],
  };
}

export function jsSnippet(loaded: Loaded, settings: Settings): string {
  const { lines, after } = imports(settings);
  const body = loaded.recipe ? generated(loaded, settings)
    : loaded.layout?.format === 'image' ? picture(loaded, settings)
    : loaded.layout?.offset !== undefined ? file(loaded, settings)
    : literal(loaded, settings);
  const install = '// npm install onnx-reduce, then save as reduce.mjs';
  return [install, ...body.imports, ...lines, ...body.lines, ...after].join('\n');
}

interface Body { imports: string[]; lines: string[] }

function generated({ recipe, elements, type, dims }: Loaded, settings: Settings): Body {
  const { rule, seed } = recipe!;
  const { array } = typeOf(type);
  if (rule === 'tenths' && (type === 'float32' || type === 'float64')) {
    return { imports: [], lines: ['', `const data = new ${array}(${elements}).fill(0.1);`, ...call(settings, tensorText(type, dims))] };
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
  const lines = functions.filter((text) => text !== '').flatMap((text) => ['', text]);
  return {
    imports: [],
    lines: [
      ...lines, '',
      `const data = new ${array}(${elements});`,
      `for (let i = 0; i < data.length; i += 1) data[i] = ${value};`,
      ...call(settings, tensorText(type, dims)),
    ],
  };
}

/** The file's elements lie in one piece at a known byte: no reader is needed. */
function file({ name, type, dims, elements, layout }: Loaded, settings: Settings): Body {
  const { array, bytes } = typeOf(type);
  const { offset = 0, bigEndian, fortranOrder } = layout!;
  const end = offset + elements * bytes;
  const lines = ['', `const { buffer, byteOffset } = await readFile('${name.replaceAll('\'', '\\\'')}');`];
  if (bigEndian && bytes > 1) {
    const swap = `swap${bytes * 8}`;
    lines.push(`const body = Buffer.from(buffer.slice(byteOffset + ${offset}, byteOffset + ${end})).${swap}();`,
      `const data = new ${array}(body.buffer, body.byteOffset, ${elements});`);
  } else {
    lines.push(`const data = new ${array}(buffer.slice(byteOffset + ${offset}, byteOffset + ${end}));`);
  }
  let more = '';
  if (fortranOrder && dims.length > 1) {
    let step = 1;
    const strides = dims.map((dim) => { const stride = step; step *= dim; return stride; });
    more = `, strides: [${strides.join(', ')}]`;
  }
  return {
    imports: ['import { readFile } from \'node:fs/promises\';'],
    lines: [...lines, ...call(settings, tensorText(type, dims, more))],
  };
}

function picture({ name, dims, imageScale }: Loaded, settings: Settings): Body {
  const [, , channels = 3] = dims;
  const value = imageScale === 'unit' ? 'pixels[from] / 255' : 'pixels[from]';
  const at = channels === 4 ? '  const from = i;' : '  const from = Math.floor(i / 3) * 4 + i % 3;';
  return {
    imports: [],
    lines: [
      '', '// In a page or a worker of one:',
      `const picture = await createImageBitmap(await (await fetch('${name}')).blob());`,
      'const { width, height } = picture;',
      'const context = new OffscreenCanvas(width, height).getContext(\'2d\');',
      'context.drawImage(picture, 0, 0);',
      'const pixels = context.getImageData(0, 0, width, height).data;',
      `const data = new Float32Array(width * height * ${channels});`,
      'for (let i = 0; i < data.length; i += 1) {', at, `  data[i] = ${value};`, '}',
      ...call(settings, `{ data, dims: [height, width, ${channels}] }`),
    ],
  };
}

/** Data that came inside a model: the code only shows the call, on an array to fill. */
function literal({ type, dims, elements, name }: Loaded, settings: Settings): Body {
  const { array } = typeOf(type);
  return {
    imports: [],
    lines: ['', `const data = new ${array}(${elements}); // fill in the input of ${name}`, ...call(settings, tensorText(type, dims))],
  };
}

/** The same through the package's command. */
export function cliSnippet(loaded: Loaded, settings: Settings): string {
  const { format } = loaded.layout ?? {};
  const quoted = /^[\w.-]+$/.test(loaded.name) ? loaded.name : `'${loaded.name.replaceAll('\'', '\'\\\'\'')}'`;
  const { operator, axes, keepdims, noop, opset } = settings;
  if (format === 'onnx') return `npx onnx-reduce run ${quoted} input.pb`;
  const input = format === 'npy' || format === 'pb' ? quoted : 'input.npy';
  const options = [
    axes.length > 0 ? ` --axes ${axes.join(',')}` : '',
    keepdims ? '' : ' --no-keepdims',
    noop === 'off' ? '' : ' --noop',
    versionOf(operatorOf(operator), opset) === operatorOf(operator).versions.at(-1) ? '' : ` --opset ${opset}`,
  ].join('');
  const remark = input === quoted ? '' : '# with the data saved as input.npy\n';
  return `${remark}npx onnx-reduce ${operator} ${input}${options} -o reduced.npy`;
}
