// What is measured. The operators and types come from the project's tables.
import { readTables } from '../tools/generate.mjs';

const tables = readTables();

// The types of any version: a call that names no opset takes them all.
export const operators = tables.operators.map(({ name, jsName, versions }) =>
  ({ name, jsName, types: [...new Set(versions.flatMap((version) => version.types))] }));
export const types = tables.types;
export const typeNamed = (name) => types.find((type) => type.name === name);

/**
 * The layouts. `axes` null means all. `everyType` marks the four that are
 * measured with the other types, too; `quick` the ones of a short run.
 */
export const layouts = [
  { label: '64', dims: [64], axes: null, quick: true },
  { label: '4096', dims: [4096], axes: null },
  { label: '2^20', dims: [2 ** 20], axes: null },
  { label: '2^24', dims: [2 ** 24], axes: null, everyType: true, quick: true },
  { label: '[4096,4096] axis 0', dims: [4096, 4096], axes: [0], everyType: true, quick: true },
  { label: '[4096,4096] axis 1', dims: [4096, 4096], axes: [1], everyType: true },
  { label: '[64,512,512] axis 1', dims: [64, 512, 512], axes: [1] },
  { label: '[4194304,4] axis 0', dims: [4194304, 4], axes: [0] },
  { label: '[4194304,4] axis 1', dims: [4194304, 4], axes: [1], everyType: true },
  { label: '[32,64,56,56] axes 0,2,3', dims: [32, 64, 56, 56], axes: [0, 2, 3] },
  { label: '[32,56,56,64] axes 0,1,2', dims: [32, 56, 56, 64], axes: [0, 1, 2], quick: true },
  { label: '[8,3,1024,1024] axis 1', dims: [8, 3, 1024, 1024], axes: [1] },
];

/** Labels of those whose results have three or four elements each: results are the work there. */
export const fewElements = ['[4194304,4] axis 1', '[8,3,1024,1024] axis 1'];

export const countOf = (dims) => dims.reduce((product, dim) => product * dim, 1);

/** How many results a case has. */
export const outputsOf = ({ dims, axes }) => countOf(axes === null ? [] : dims.filter((_, i) => !axes.includes(i)));

const short = (name) => name.replace('Reduce', '');

/** A case's name, as --case matches it and tables show it. */
export const caseName = ({ operator, type, label }) => `${short(operator)} ${type} ${label}`;

/**
 * All cases, or those of a short run. The operators are innermost: cases that
 * share their data follow each other and are measured in one process.
 */
export function listCases({ quick = false, pattern = /(?:)/ } = {}) {
  const list = [];
  for (const type of types) {
    for (const layout of layouts) {
      if (type.name !== 'float32' && !layout.everyType) continue;
      if (quick && !(layout.quick && type.name === 'float32')) continue;
      for (const operator of operators) {
        if (!operator.types.includes(type.name)) continue;
        const { label, dims, axes } = layout;
        const one = { operator: operator.name, jsName: operator.jsName, type: type.name, label, dims, axes };
        one.name = caseName(one);
        if (pattern.test(one.name)) list.push(one);
      }
    }
  }
  return list;
}

/** Cases grouped by what they run on, one process for each group. */
export function groupCases(cases) {
  const groups = new Map();
  for (const one of cases) {
    const key = `${one.type} ${one.label}`;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(one);
  }
  return [...groups.values()];
}
