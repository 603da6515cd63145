// The data panel: generate, open, samples; and what is loaded.

import { load, rescale, stop } from '../controller';
import { call } from '../client';
import { byId, download, make, showError, tabs } from '../dom';
import { bytes, elementCount, grouped, parseShape, product, shape, short } from '../format';
import { types } from '../operators';
import { mostElements, presets, ruleTable } from '../rules';
import { samples } from '../samples';
import { state, update, watch } from '../state';
import type { Recipe, TypeName } from '../protocol';
import { drawGrid, defaultPlane } from './plane';

const generator = byId<HTMLSelectElement>('generator');
const type = byId<HTMLSelectElement>('type');
const shapeInput = byId<HTMLInputElement>('shape');
const seed = byId<HTMLInputElement>('seed');
const fileInput = byId<HTMLInputElement>('file');

export function startData(): void {
  startPanes();
  startGenerate();
  startOpen();
  startDrop();
  watch(['source'], fillForm);
  watch(['loading', 'loadError'], drawProgress);
  watch(['loaded'], drawLoaded);
}

function startPanes(): void {
  const panes = [byId('pane-generate'), byId('pane-open')];
  const select = (at: number) => {
    mark(at);
    panes.forEach((pane, i) => { pane.hidden = i !== at; });
  };
  const mark = tabs([byId<HTMLButtonElement>('tab-generate'), byId<HTMLButtonElement>('tab-open')], select);
  watch(['source'], () => select(state.source.kind === 'recipe' ? 0 : 1));
}

function startGenerate(): void {
  generator.append(...Object.entries(ruleTable).map(([value, { label }]) => make('option', { value }, label)));
  type.append(...types.map(({ name }) => make('option', { value: name }, name)));
  const group = byId('presets');
  for (const preset of presets) {
    const button = make('button', { type: 'button', className: 'chip-small' }, preset.label);
    button.addEventListener('click', () => {
      shapeInput.value = preset.dims.join(' \u00d7 ');
      submit(preset.axes);
    });
    group.append(button);
  }
  byId('generate-form').addEventListener('submit', (event) => {
    event.preventDefault();
    submit();
  });
  for (const select of [generator, type]) select.addEventListener('change', () => submit());
  shapeInput.addEventListener('input', checkShape);
}

/** Says how many elements the shape has, or what is wrong with it. */
function checkShape(): number[] | undefined {
  const dims = parseShape(shapeInput.value);
  const count = dims ? product(dims) : NaN;
  const problem = !dims ? 'Write whole numbers with \u00d7 or commas between them, such as 4096 \u00d7 4096; leave it empty for a scalar'
    : count > mostElements ? `That is ${short(count)} elements; the page generates up to ${grouped(mostElements)} (2^26)` : '';
  showError(byId('shape-error'), problem);
  shapeInput.setAttribute('aria-invalid', String(problem !== ''));
  byId('shape-count').textContent = dims && !problem ? elementCount(count) : '';
  return problem ? undefined : dims;
}

function submit(axes?: number[]): void {
  const dims = checkShape();
  if (!dims) {
    shapeInput.focus();
    return;
  }
  const recipe: Recipe = {
    rule: generator.value, type: type.value as TypeName, dims, seed: Math.trunc(Math.abs(Number(seed.value))) % 2 ** 32 || 0,
  };
  void load({ kind: 'recipe', recipe }, axes ? { axes } : {});
}

function fillForm(): void {
  if (state.source.kind !== 'recipe') return;
  const { recipe } = state.source;
  generator.value = recipe.rule;
  type.value = recipe.type;
  shapeInput.value = recipe.dims.join(' \u00d7 ');
  seed.value = String(recipe.seed);
  checkShape();
}

function startOpen(): void {
  byId('browse').addEventListener('click', () => fileInput.click());
  fileInput.addEventListener('change', () => {
    const files = [...fileInput.files ?? []];
    // The same file again is a change, too.
    fileInput.value = '';
    if (files.length > 0) void load({ kind: 'file' }, { dropped: files });
  });
  byId('image-scale').addEventListener('change', (event) => {
    rescale((event.target as HTMLInputElement).value as 'byte' | 'unit');
  });
  watch(['imageScale', 'loaded'], () => {
    byId('image-scale').hidden = !state.loaded?.imageScale;
    for (const radio of byId('image-scale').querySelectorAll('input')) radio.checked = radio.value === state.imageScale;
  });
  byId('samples').append(...samples.map((sample) => {
    const button = make('button', { type: 'button', className: 'sample' },
      make('strong', {}, sample.name), make('span', {}, sample.about));
    button.addEventListener('click', () => void load({ kind: 'sample', name: sample.name }));
    return make('li', {}, button);
  }));
}

async function saveData(): Promise<void> {
  try {
    download(await call('save', { which: 'input' }), 'input.npy');
  } catch (error) {
    update({ loadError: (error as Error).message });
  }
}

function startDrop(): void {
  const veil = byId('veil');
  let depth = 0;
  const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
  const show = (on: boolean) => { veil.hidden = !on; };
  addEventListener('dragenter', (event) => {
    if (!carriesFiles(event)) return;
    depth += 1;
    show(true);
  });
  addEventListener('dragleave', () => {
    depth = Math.max(0, depth - 1);
    show(depth > 0);
  });
  addEventListener('dragover', (event) => {
    if (carriesFiles(event)) event.preventDefault();
  });
  addEventListener('drop', (event) => {
    depth = 0;
    show(false);
    const files = [...event.dataTransfer?.files ?? []];
    if (files.length === 0) return;
    event.preventDefault();
    void load({ kind: 'file' }, { dropped: files });
  });
  addEventListener('paste', (event) => {
    const files = [...event.clipboardData?.files ?? []];
    if (files.length > 0) void load({ kind: 'file' }, { dropped: files });
  });
  byId('cancel').addEventListener('click', stop);
  byId('save-data').addEventListener('click', () => void saveData());
}

let showProgress: ReturnType<typeof setTimeout> | undefined;

function drawProgress(): void {
  const { loading, loadError } = state;
  showError(byId('data-error'), loadError);
  if (loadError) byId('data-error').scrollIntoView({ block: 'nearest' });
  const box = byId('data-progress');
  if (!loading) {
    clearTimeout(showProgress);
    showProgress = undefined;
    box.hidden = true;
    return;
  }
  // What is done in the wink of an eye needs no bar.
  showProgress ??= setTimeout(() => { box.hidden = !state.loading; }, 150);
  byId<HTMLProgressElement>('data-progress-bar').value = loading.fraction;
  byId('data-progress-text').textContent = `${loading.text} ${Math.round(loading.fraction * 100)}\u202f%`;
}

async function drawLoaded(): Promise<void> {
  const { loaded } = state;
  byId('loaded').hidden = !loaded;
  if (!loaded) return;
  byId('loaded-name').textContent = loaded.recipe ? ruleTable[loaded.recipe.rule]!.label : loaded.name;
  byId('loaded-note').textContent = loaded.note;
  const facts: [string, string][] = [
    ['Type', loaded.type], ['Shape', shape(loaded.dims)], ['Elements', grouped(loaded.elements)], ['Size', bytes(loaded.bytes)],
  ];
  byId('save-data').hidden = loaded.layout?.format === 'npy';
  byId('loaded-facts').replaceChildren(...facts.map(([term, value]) => make('div', {}, make('dt', {}, term), make('dd', {}, value))));
  const canvas = byId<HTMLCanvasElement>('preview');
  if (loaded.thumbnail) {
    canvas.width = loaded.thumbnail.width;
    canvas.height = loaded.thumbnail.height;
    canvas.getContext('2d')!.drawImage(loaded.thumbnail, 0, 0);
    canvas.setAttribute('aria-label', `The picture ${loaded.name}`);
    canvas.hidden = false;
    return;
  }
  canvas.hidden = loaded.elements < 2;
  if (canvas.hidden) return;
  const plane = defaultPlane(loaded.dims);
  // A vector is folded into rows, a picture of its own.
  if (plane.rows === -1) plane.rows = -2;
  try {
    const [across = 1, down = 1] = plane.rows < 0 ? [2, 1] : [loaded.dims[plane.columns], loaded.dims[plane.rows]];
    const height = Math.max(64, Math.min(400, Math.round(320 * down / across)));
    const grid = await call('grid', { which: 'input', plane, width: 320, height });
    if (loaded === state.loaded) drawGrid(canvas, grid);
  } catch {
    canvas.hidden = true;
  }
}
