// Opens what a user drops: arrays, tensors, pictures, and a model that says
// which operator to apply. What a file is follows from its first bytes where
// they tell, else from its name.

import { isNpy, readNpy, readNpyHeader } from '../../../formats/npy';
import { axesOf, readReduceModel, type ReduceModel } from '../../../formats/onnx_model';
import { bytesOf, FormatError, inOrder, type FileTensor } from '../../../formats/tensor';
import { readTensorProto } from '../../../formats/tensor_proto';
import { operators } from '../operators';
import type { FileLayout, ImageScale, Loaded, Recipe, Settings } from '../protocol';
import { generate, type Progress } from './generate';

export interface Opened {
  tensor: FileTensor;
  about: Pick<Loaded, 'name' | 'note'> & Partial<Loaded>;
}

export class OpenError extends Error {
  constructor(readonly file: string, message: string, readonly offset?: number) {
    super(`${file}: ${message}`);
    this.name = 'OpenError';
  }
}

type Kind = 'npy' | 'pb' | 'onnx' | 'image';

function kindOf(file: File, bytes: Uint8Array): Kind {
  const ending = /\.(\w+)$/.exec(file.name.toLowerCase())?.[1] ?? '';
  if (isNpy(bytes) || ending === 'npy') return 'npy';
  if (ending === 'onnx') return 'onnx';
  if (ending === 'pb') return 'pb';
  if (file.type.startsWith('image/')) return 'image';
  throw new OpenError(file.name, 'not a .npy, a TensorProto .pb, a picture or a one-node .onnx');
}

/** Opens one tensor, or a model together with its inputs. */
export async function open(files: File[], imageScale: ImageScale, progress: Progress): Promise<Opened> {
  const read = [];
  for (const file of files) {
    const bytes = await readBytes(file, progress);
    read.push({ file, bytes, kind: kindOf(file, bytes) });
  }
  const model = read.find(({ kind }) => kind === 'onnx');
  if (!model) {
    const [first] = read;
    if (!first) throw new OpenError('Drop', 'no file in it');
    if (first.kind === 'image') return openImage(first.file, imageScale);
    const opened = openTensor(first.file, first.bytes, first.kind);
    // Several are of use only with a model.
    return read.length > 1 ? { ...opened, about: { ...opened.about, note: `${opened.about.note}; the first of ${read.length} files` } } : opened;
  }
  const inputs = read.filter(({ kind }) => kind === 'npy' || kind === 'pb')
    .map(({ file, bytes, kind }) => openTensor(file, bytes, kind));
  return openModel(model.file, model.bytes, inputs, progress);
}

/** A large file is read in pieces, so that the page can show how far it is. */
async function readBytes(file: File, progress: Progress): Promise<Uint8Array> {
  if (file.size < 1 << 25) return new Uint8Array(await file.arrayBuffer());
  const bytes = new Uint8Array(file.size);
  let at = 0;
  const stream = file.stream().getReader();
  for (let piece = await stream.read(); !piece.done; piece = await stream.read()) {
    bytes.set(piece.value, at);
    at += piece.value.length;
    await progress(`Reading ${file.name}`, at / file.size);
  }
  return bytes;
}

/** Runs a reader and puts the file's name before what it complains about. */
function parse<T>(file: File, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof FormatError) throw new OpenError(file.name, error.message, error.offset);
    throw error;
  }
}

function openTensor(file: File, bytes: Uint8Array, kind: Kind): Opened {
  return parse(file, () => {
    const { tensor, layout, note } = kind === 'npy' ? fromNpy(bytes) : fromProto(bytes);
    const { dims, type, strides, name } = tensor;
    const data = inOrder(dims, tensor.data, strides);
    return { tensor: { data, dims, type, ...(name ? { name } : {}) }, about: { name: file.name, note, layout } };
  });
}

function fromNpy(bytes: Uint8Array): { tensor: FileTensor; layout: FileLayout; note: string } {
  const header = readNpyHeader(bytes);
  // numpy has no bfloat16; two bytes without a meaning are what its add-on writes.
  const tensor = readNpy(bytes, header.descr.endsWith('V2') ? { type: 'bfloat16' } : {});
  const bigEndian = header.descr.startsWith('>');
  const order = header.fortranOrder ? 'Fortran order' : 'C order';
  return {
    tensor, note: `.npy version ${header.version}, ${bigEndian ? 'big endian, ' : ''}${order}`,
    layout: { format: 'npy', offset: header.dataOffset, bigEndian, fortranOrder: header.fortranOrder },
  };
}

function fromProto(bytes: Uint8Array): { tensor: FileTensor; layout: FileLayout; note: string } {
  const tensor = readTensorProto(bytes);
  const data = bytesOf(tensor.data);
  // Writers put raw_data last; where that is so, the snippet can point at it.
  const start = bytes.length - data.length;
  const last = data.length > 0 && data.every((byte, at) => byte === bytes[start + at]);
  return {
    tensor, note: `TensorProto${tensor.name ? ` named ${tensor.name}` : ''}`,
    layout: { format: 'pb', ...(last ? { offset: start } : {}) },
  };
}

async function openImage(file: File, scale: ImageScale): Promise<Opened> {
  let picture: ImageBitmap;
  try {
    picture = await createImageBitmap(file);
  } catch {
    throw new OpenError(file.name, 'the browser cannot decode this picture');
  }
  const { width, height } = picture;
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (!context) throw new OpenError(file.name, 'the browser gives no canvas to read the pixels with');
  context.drawImage(picture, 0, 0);
  const { data: pixels } = context.getImageData(0, 0, width, height);
  let channels = 3;
  for (let at = 3; at < pixels.length; at += 4) {
    if (pixels[at] !== 255) { channels = 4; break; }
  }
  const data = new Float32Array(width * height * channels);
  const divisor = scale === 'unit' ? 255 : 1;
  for (let from = 0, to = 0; from < pixels.length; from += 4) {
    for (let channel = 0; channel < channels; channel += 1) data[to++] = pixels[from + channel]! / divisor;
  }
  const small = Math.min(1, 640 / width);
  const thumbnail = await createImageBitmap(picture, {
    resizeWidth: Math.max(1, Math.round(width * small)), resizeHeight: Math.max(1, Math.round(height * small)),
    resizeQuality: 'high',
  });
  picture.close();
  const about: Opened['about'] = {
    name: file.name, imageScale: scale, thumbnail, layout: { format: 'image' },
    note: `Picture as [H, W, C], values 0 to ${scale === 'unit' ? '1' : '255'}`,
  };
  return { tensor: { data, dims: [height, width, channels], type: 'float32' }, about };
}

async function openModel(file: File, bytes: Uint8Array, inputs: Opened[], progress: Progress): Promise<Opened> {
  const model = parse(file, () => readReduceModel(bytes));
  if (!operators.some(({ name }) => name === model.operator)) {
    const known = operators.map(({ name }) => name).join(', ');
    throw new OpenError(file.name, `the model's operator is ${model.operator}; this package has ${known}`);
  }
  const named = (name: string | undefined) => inputs.find(({ tensor }) => name !== undefined && tensor.name === name);
  const axesInput = named(model.axesName) ?? (model.axesName ? inputs.find(({ tensor }) => tensor.type === 'int64' && tensor.dims.length === 1) : undefined);
  const dataInput = named(model.dataName) ?? inputs.find((input) => input !== axesInput);
  const axes = model.axes ?? (axesInput ? parse(file, () => axesOf(axesInput.tensor)) : []);
  const settings: Partial<Settings> = {
    operator: model.operator, opset: model.opset, keepdims: model.keepdims, axes,
    noop: model.noopWithEmptyAxes ? 'map' : 'off',
  };
  const recipe = model.data || dataInput ? undefined : inputRecipe(model);
  const tensor = model.data ?? dataInput?.tensor ?? await generate(recipe!, progress);
  const where = model.data ? 'with its data' : dataInput ? `on ${dataInput.about.name}` : 'on generated data, as none came with it';
  const missing = model.axesName && !axesInput ? '; its input of axes was not given, so there are none' : '';
  const about: Opened['about'] = {
    name: file.name, note: `${model.operator} of opset ${model.opset}, ${where}${missing}`, model: settings,
    layout: { format: 'onnx' },
    modelInputs: model.inputs.map(({ name }) => (name === model.dataName ? dataInput : axesInput)?.about.name ?? ''),
    ...(recipe ? { origin: { name: file.name, recipe } } : {}),
    ...(dataInput && !model.data ? { origin: { name: dataInput.about.name, layout: dataInput.about.layout! } } : {}),
  };
  return { tensor, about };
}

/** Data of the type and shape that a model declares, for when the user gave none. */
function inputRecipe(model: ReduceModel): Recipe {
  const declared = model.inputs.find(({ name }) => name === model.dataName);
  const dims = (declared?.dims ?? [8, 8]).map((dim) => dim ?? 8);
  return { rule: 'uniform', type: declared?.type ?? 'float32', dims, seed: 1 };
}
