// Tensors in files: .npy and TensorProto, told apart by content when reading
// and by name when writing.

import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { open, readlink, realpath, rename, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { isNpy, npyParts, readNpy } from '../formats/npy.js';
import { FormatError } from '../formats/tensor.js';
import type { FileTensor, TensorType } from '../formats/tensor.js';
import { readTensorProto, tensorProtoParts } from '../formats/tensor_proto.js';
import { DataError, UsageError, reasonOf } from './failure.js';

// Node.js reads and writes at most 2 GB at once, and Linux slightly less.
const pieceSize = 1 << 28;

/** The name of a file in messages. */
export function shown(file: string): string {
  return file === '-' ? 'standard input' : file;
}

/** Reads a whole file, or standard input for '-'. */
export async function readBytes(file: string): Promise<Uint8Array> {
  try {
    return file === '-' ? await readAll(process.stdin) : await readFile(file);
  } catch (error) {
    if (error instanceof RangeError) throw new DataError(`cannot read ${shown(file)}: it does not fit in memory`);
    throw new DataError(`cannot read ${shown(file)}: ${reasonOf(error)}`);
  }
}

async function readFile(file: string): Promise<Uint8Array> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    // Pipes and devices have no size to go by.
    if (size === 0) return await readAll(handle.createReadStream({ autoClose: false }));
    const bytes = new Uint8Array(size);
    let filled = 0;
    while (filled < size) {
      const { bytesRead } = await handle.read(bytes, filled, Math.min(pieceSize, size - filled));
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return bytes.subarray(0, filled);
  } finally {
    await handle.close();
  }
}

async function readAll(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of stream) {
    pieces.push(piece);
    size += piece.length;
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** Reads a tensor from a file. */
export async function readTensor(file: string, type?: TensorType): Promise<FileTensor> {
  if (extname(file).toLowerCase() === '.onnx') {
    throw new UsageError(`${file} is a model: use "onnx-reduce run ${file} INPUT..."`);
  }
  const bytes = await readBytes(file);
  return inFile(file, () => {
    if (isNpy(bytes) || extname(file).toLowerCase() === '.npy') return readNpy(bytes, type ? { type } : {});
    const tensor = readTensorProto(bytes);
    if (type && tensor.type !== type) {
      throw new FormatError(0, `a TensorProto of type ${type}`, tensor.type);
    }
    return tensor;
  });
}

/** Runs a reader, so that its error names the file. */
export function inFile<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof FormatError) throw new DataError(`${shown(file)} is broken or of another kind at ${error.message}`);
    throw error;
  }
}

/** How a tensor is written to each kind of file; '-' is an .npy on standard output. */
export function writerFor(file: string): (tensor: FileTensor) => Uint8Array[] {
  const extension = file === '-' ? '.npy' : extname(file).toLowerCase();
  if (extension === '.npy') return (tensor) => npyParts(tensor);
  if (extension === '.pb') return tensorProtoParts;
  throw new UsageError(`--output takes a name that ends in .npy or .pb, not "${file}"`);
}

/**
 * Writes the parts as one file. Either the whole file is there afterwards or
 * what was there before: it is written beside its place and moved there.
 */
export async function writeFile(file: string, parts: readonly Uint8Array[]): Promise<void> {
  try {
    const target = await placeOf(file);
    const there = await stat(target).catch(() => undefined);
    if (there && !there.isFile()) {
      // Nothing may take the place of a device or a pipe.
      const handle = await open(target, 'w');
      await writeParts(handle, parts);
      return;
    }
    temporary = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}.tmp`);
    await writeParts(await open(temporary, 'wx', there ? there.mode & 0o777 : 0o666), parts);
    await rename(temporary, target);
    temporary = undefined;
  } catch (error) {
    removeTemporary();
    throw new DataError(`cannot write ${file}: ${reasonOf(error)}`);
  }
}

/** Where a name leads: links are followed, also to where there is nothing yet. */
async function placeOf(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const link = await readlink(file).catch(() => undefined);
    return link === undefined ? file : placeOf(resolve(await realpath(dirname(file)), link));
  }
}

// The file that is being written, until it is in its place.
let temporary: string | undefined;

/** Removes what an interrupted writeFile leaves behind. */
export function removeTemporary(): void {
  if (temporary !== undefined) rmSync(temporary, { force: true });
  temporary = undefined;
}

async function writeParts(handle: FileHandle, parts: readonly Uint8Array[]): Promise<void> {
  try {
    for (const part of parts) {
      for (let at = 0; at < part.length;) {
        const { bytesWritten } = await handle.write(part, at, Math.min(pieceSize, part.length - at));
        at += bytesWritten;
      }
    }
  } finally {
    await handle.close();
  }
}
