// Makes data by a rule of generators.js, in slices, so that a Stop from the
// page is heard between two of them.

import type { FileTensor } from '../../../formats/tensor';
import { product } from '../format';
import { isFloating } from '../operators';
import type { Recipe } from '../protocol';
import { mostElements, ruleTable } from '../rules';
import { newArray, writer } from './values';

export type Progress = (text: string, fraction: number) => Promise<void>;

export async function generate(recipe: Recipe, progress: Progress): Promise<FileTensor> {
  const { type, dims, seed } = recipe;
  const rule = ruleTable[recipe.rule];
  if (!rule) throw new RangeError(`There is no rule named ${recipe.rule}`);
  const length = product(dims);
  if (length > mostElements) {
    throw new RangeError(`The shape has ${length} elements; the page generates up to ${mostElements} (2^26)`);
  }
  const data = newArray(type, length);
  const store = writer(type, data);
  const { make } = rule;
  const scale = isFloating(type) ? 1 : rule.scale;
  const slice = 1 << 19;
  for (let from = 0; from < length; from += slice) {
    if (from > 0) await progress('Generating', from / length);
    const to = Math.min(length, from + slice);
    for (let i = from; i < to; i += 1) store(i, scale * make(i, seed, dims));
  }
  return { data, dims, type };
}
