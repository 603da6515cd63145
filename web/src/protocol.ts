// What the page and its worker say to each other. The tensors live in the
// worker; the page only ever sees descriptions and small windows of them, so
// that half a gigabyte of data never passes between the two.

export type TypeName =
  | 'float32' | 'float64' | 'float16' | 'bfloat16'
  | 'int32' | 'uint32' | 'int64' | 'uint64';

export type Noop = 'off' | 'map' | 'identity';

/** How the operator is to be applied; `axes` are the chosen ones, none = []. */
export interface Settings {
  operator: string;
  opset: number;
  axes: number[];
  keepdims: boolean;
  noop: Noop;
  threads: number | 'auto';
}

/** Data made by a rule of generators.js. */
export interface Recipe {
  rule: string;
  type: TypeName;
  dims: number[];
  seed: number;
}

export type ImageScale = 'byte' | 'unit';

/** Where the elements lie in the file, for the snippet that reads them again. */
export interface FileLayout {
  format: 'npy' | 'pb' | 'image' | 'onnx';
  offset?: number;
  bigEndian?: boolean;
  fortranOrder?: boolean;
}

export interface Loaded {
  name: string;
  note: string;
  type: TypeName;
  dims: number[];
  elements: number;
  bytes: number;
  recipe?: Recipe;
  layout?: FileLayout;
  imageScale?: ImageScale;
  thumbnail?: ImageBitmap;
  /** What a dropped model says about the operator. */
  model?: Partial<Settings>;
  /** The model's inputs in its order, as the files they came from; '' for one that did not come along. */
  modelInputs?: string[];
  /** What a model's data came from, where that is not the model itself. */
  origin?: Pick<Loaded, 'name' | 'layout' | 'recipe'>;
}

export interface Result {
  type: TypeName;
  dims: number[];
  elements: number;
  milliseconds: number;
  runs: number;
  /** How many threads took part, and why not more. */
  threads: number;
  threadsReason: string;
  place: Place;
  /** The value and its bits, when there is exactly one element. */
  single?: { value: string; bits: string };
}

/** Where the package finds the data: in an ordinary array, or in a tensor of allocate(). */
export type Place = 'array' | 'memory';

/** Who is measured beside the shown result: the package with the data in the other place, and others. */
export type Contender = 'other' | 'loop' | 'ort';

/** How far another implementation's results are from the exact ones. */
export interface Comparison {
  milliseconds: number;
  runs: number;
  /** Distance of the worst result in units in the last place; Infinity where only one of the two is finite or a number. */
  worst: number;
  different: number;
  elements: number;
  /** The worst result, theirs and ours, where they differ. */
  example?: { index: number[]; theirs: string; ours: string };
  note: string;
}

export type Which = 'input' | 'result';

/** A plane of a tensor: `rows` and `columns` name axes (rows -1: none), `at` fixes the others. */
export interface Plane {
  rows: number;
  columns: number;
  at: number[];
}

export interface Grid {
  width: number;
  height: number;
  values: Float32Array;
  /** The ends of the colour scale; `clipped` when some values lie beyond them. */
  low: number;
  high: number;
  clipped: boolean;
  /** Elements along the plane's two axes, before they were thinned out. */
  across: number;
  down: number;
}

/** One line of a chart; `low` and `high` are there when several elements share a point. */
export interface Series {
  label: string;
  values: Float64Array;
  low?: Float64Array;
  high?: Float64Array;
}

export interface Lines {
  x: Float64Array;
  series: Series[];
}

export interface NumberWindow {
  start: number;
  values: string[];
  bits: string[];
}

/** The worker's calls: argument and answer of each. */
export interface Calls {
  generate: { in: { recipe: Recipe }; out: Loaded };
  open: { in: { files: File[]; imageScale: ImageScale }; out: Loaded };
  run: { in: { settings: Settings; budget: number }; out: Result };
  compare: { in: { settings: Settings; who: Contender; base: string }; out: Comparison };
  grid: { in: { which: Which; plane: Plane; width: number; height: number }; out: Grid };
  lines: { in: { which: Which; plane: Plane; points: number }; out: Lines };
  numbers: { in: { which: Which; start: number; count: number }; out: NumberWindow };
  save: { in: { which: Which }; out: Blob };
}

export type CallName = keyof Calls;

export interface CallMessage {
  id: number;
  name: CallName;
  argument: unknown;
}

export interface Failure {
  message: string;
  code: string;
  /** The byte at which a file broke, where one did. */
  offset?: number;
}

export type WorkerMessage =
  | { id: number; progress: { text: string; fraction: number } }
  | { id: number; value: unknown }
  | { id: number; failure: Failure };
