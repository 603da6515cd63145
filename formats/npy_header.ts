// The header of an .npy file: a Python dict literal with exactly the keys
// descr, fortran_order and shape. This reads as much of Python's syntax as
// NumPy's own writers have ever used, in one pass without recursion, and says
// at which byte anything else stands.

import { FormatError } from './tensor.js';

interface Dict {
  descr: string;
  descrOffset: number;
  fortranOrder: boolean;
  dims: number[];
}

/** Reads the dict between two offsets of a file. */
export function readDict(bytes: Uint8Array, start: number, end: number): Dict {
  const text = new Scanner(bytes, start, end);
  const found: Partial<Dict> = {};

  text.expect('{');
  while (text.peek() !== '}') {
    const keyOffset = text.offset;
    const key = text.string("a key ('descr', 'fortran_order' or 'shape') or '}'");
    if (Object.hasOwn(keys, key) && Object.hasOwn(found, keys[key]!)) {
      throw new FormatError(keyOffset, 'each key once', `'${key}' again`);
    }
    text.expect(':');
    text.peek();
    if (key === 'descr') {
      found.descrOffset = text.offset;
      found.descr = dtype(text);
    } else if (key === 'fortran_order') {
      found.fortranOrder = text.boolean();
    } else if (key === 'shape') {
      found.dims = shape(text);
    } else {
      throw new FormatError(keyOffset, "one of the keys 'descr', 'fortran_order' and 'shape'",
        `'${shorten(key, 'characters')}'`);
    }
    if (text.peek() !== '}') text.expect(',', "',' or '}'");
  }
  const closing = text.offset;
  text.expect('}');
  for (const [key, field] of Object.entries(keys)) {
    if (!Object.hasOwn(found, field)) throw new FormatError(closing, `the key '${key}' in the header`, "'}'");
  }
  text.expectEnd();
  return found as Dict;
}

const keys: Record<string, keyof Dict> = { descr: 'descr', fortran_order: 'fortranOrder', shape: 'dims' };

function dtype(text: Scanner): string {
  const offset = text.offset;
  if (text.peek() === '[') throw new FormatError(offset, 'a dtype with one value an element', 'a dtype with fields');
  const descr = text.string("a dtype such as '<f4'");
  if (!/^[<>=|][A-Za-z]\d*(\[\w+\])?$/.test(descr)) {
    throw new FormatError(offset, "a dtype such as '<f4'", `'${shorten(descr, 'characters')}'`);
  }
  return descr;
}

function shape(text: Scanner): number[] {
  const dims: number[] = [];
  text.expect('(', "a shape such as (2, 3)");
  while (text.peek() !== ')') {
    dims.push(text.integer());
    if (text.peek() !== ')') text.expect(',', "',' or ')'");
    else if (dims.length === 1) {
      // (3) without a comma is a number in Python, not a shape.
      throw new FormatError(text.offset, "',' after the only number of a shape", "')'");
    }
  }
  text.expect(')');
  return dims;
}

/** Walks over the header's bytes; every message tells the byte in the file. */
class Scanner {
  offset: number;

  constructor(private readonly bytes: Uint8Array, start: number, private readonly end: number) {
    this.offset = start;
  }

  /** The next character that is not white space, or '' at the end. */
  peek(): string {
    while (/[ \t\r\n\f]/.test(this.char())) this.offset++;
    return this.char();
  }

  expect(char: string, expected = `'${char}'`): void {
    if (this.peek() !== char) this.fail(expected);
    this.offset++;
  }

  expectEnd(): void {
    if (this.peek() !== '') this.fail('only white space after the header');
  }

  string(expected: string): string {
    const quote = this.peek();
    if (quote !== "'" && quote !== '"') this.fail(expected);
    const start = this.offset++;
    let value = '';
    while (this.char() !== quote) {
      if (this.char() === '' || this.char() === '\n') this.fail(`the ${quote} that ends the text of byte ${start}`);
      value += this.char();
      this.offset++;
    }
    this.offset++;
    return value;
  }

  boolean(): boolean {
    this.peek();
    const word = this.word(/[A-Za-z]/);
    if (word.text !== 'True' && word.text !== 'False') {
      this.offset = word.offset;
      this.fail('True or False');
    }
    return word.text === 'True';
  }

  integer(): number {
    this.peek();
    const { text, offset } = this.word(/[0-9]/);
    const value = Number(text);
    if (text === '' || !Number.isSafeInteger(value)) {
      throw new FormatError(offset, 'a dim from 0 to 2^53 - 1', text === '' ? this.here() : shorten(text, 'digits'));
    }
    if (this.char() === 'L') this.offset++;  // as Python 2 wrote them
    return value;
  }

  private word(letters: RegExp): { text: string; offset: number } {
    const offset = this.offset;
    let text = '';
    while (letters.test(this.char())) {
      text += this.char();
      this.offset++;
    }
    return { text, offset };
  }

  private char(): string {
    return this.offset < this.end ? String.fromCharCode(this.bytes[this.offset]!) : '';
  }

  private here(): string {
    const char = this.char();
    if (char === '') return 'the end of the header';
    return /[!-~]/.test(char) ? `'${char}'` : `byte ${char.charCodeAt(0).toString(16).padStart(2, '0')}`;
  }

  private fail(expected: string): never {
    throw new FormatError(this.offset, expected, this.here());
  }
}

function shorten(text: string, unit: string): string {
  return text.length > 24 ? `${text.slice(0, 20)}... (${text.length} ${unit})` : text;
}
