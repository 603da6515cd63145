// The operators and types as the page shows them. They come from the project's
// own tables, so that a row added there appears here without a second edit.

import { operators as operatorRows, types as typeRows } from '../../bindings/generated/tables.js';
import { kTeamBytes } from '../../bindings/pool_core.js';
import type { TypeName } from './protocol';

export interface Operator {
  /** ONNX's name. */
  readonly name: string;
  /** The function of the package. */
  readonly jsName: string;
  readonly map: string;
  readonly finalize: string;
  /** First opset of each version, and the types it takes. */
  readonly versions: readonly { readonly since: number; readonly types: readonly TypeName[] }[];
}

export interface TensorType {
  readonly name: TypeName;
  readonly bytes: number;
  readonly kind: string;
  readonly array: string;
  readonly onnxCode: number;
}

/** Data of fewer bytes is reduced by one thread, as the package decides in bindings/pool_core.ts. */
export const worthSharing = kTeamBytes;

export const operators: readonly Operator[] = operatorRows;
export const types: readonly TensorType[] = typeRows;

export function typeOf(name: TypeName): TensorType {
  const found = types.find((type) => type.name === name);
  if (!found) throw new RangeError(`${name} is no tensor type`);
  return found;
}

export function isFloating(name: TypeName): boolean {
  return typeOf(name).kind === 'floating';
}

export function operatorOf(name: string): Operator {
  return operators.find((operator) => operator.name === name) ?? operators[0]!;
}

/** The versions as a select shows them: "11 to 12", the last one "18 and up". */
export function opsetChoices(operator: Operator): { value: number; label: string }[] {
  return operator.versions.map(({ since }, row, all) => {
    const next = all[row + 1]?.since;
    if (next === undefined) return { value: since, label: `${since} and up` };
    return { value: since, label: next - 1 > since ? `${since} to ${next - 1}` : String(since) };
  });
}

/** The version of an operator that an opset number means. */
export function versionOf(operator: Operator, opset: number): Operator['versions'][number] | undefined {
  return operator.versions.filter(({ since }) => since <= opset).at(-1);
}

/** The first opset of the newest version that takes a type, which is what the package applies by itself. */
export function newestOpset(operator: Operator, type: TypeName): number {
  return (operator.versions.filter(({ types: taken }) => taken.includes(type)).at(-1) ?? operator.versions.at(-1)!).since;
}

/** What the operator computes, as a formula in words of one line. */
export function formulaOf(operator: Operator): string {
  const element = operator.map === 'square' ? 'x\u00b2' : operator.map === 'abs' ? '|x|' : 'x';
  const sum = `\u03a3 ${element}`;
  if (operator.finalize === 'log') return `y = ln(${sum})`;
  if (operator.finalize === 'sqrt') return `y = \u221a(${sum})`;
  return `y = ${sum}`;
}
