// The core of a reducer with threads: decides, call by call, whether the
// workers may help, and arranges what they need for it.
import { Core, type CoreModule } from './core.js';
import { controlBlock } from './generated/control_block.js';
import { DenseReader } from './strided.js';
import { isShared } from './views.js';

/** What the glue of the core with shared memory has besides. */
export interface PoolModule extends CoreModule {
  poolCreate(members: number): number;
  poolStack(member: number): number;
  poolCallOut(): void;
  mayBlock: () => boolean;
  giveUp: (round: number) => boolean;
}

/** The workers, as the core sees them. */
export interface Crew {
  /** The members that may take part are those below this number; 1 when there is only the caller. */
  readonly admitted: number;
  /** The number by which the workers know a shared buffer, after they have been told of it. */
  sourceOf(buffer: ArrayBufferLike): number;
  /** Called when a worker did not come back from a call. */
  lost(): void;
}

/** Below this the C++ works alone anyway (src/reduce.cc), so nothing is prepared. */
export const kTeamBytes = 512 << 10;

/** How long a worker may keep the caller waiting at the end of a call. */
const kPatience = 10_000;

export class PoolCore extends Core {
  readonly #crew: Crew;
  #lost = false;

  constructor(module: PoolModule, crew: Crew) {
    super(module);
    this.#crew = crew;
    module.mayBlock = mayBlock;
    let waited = 0;
    let last = 0;
    module.giveUp = (round) => {
      const now = Date.now();
      // Counted in small steps: the clock may be set, and a machine may sleep.
      waited = round === 0 ? 0 : waited + Math.min(Math.max(now - last, 0), 100);
      last = now;
      if (waited > kPatience) this.#lost = true;
      return this.#lost;
    };
  }

  override run(
    op: number, type: number, dims: readonly number[], flags: readonly number[], input: number, output: number,
    operator: string,
  ): void {
    const { reader, target } = this;
    const crew = this.#crew;
    let source = 0;
    if (crew.admitted > 1 && this.#isLarge(dims)) {
      if (input !== 0) source = -1;
      else if (reader instanceof DenseReader && isShared(reader.buffer)) source = crew.sourceOf(reader.buffer);
    }
    // What other threads can't read, or in no simple way, the caller reduces alone.
    if (source === 0) {
      super.run(op, type, dims, flags, input, output, operator);
      return;
    }
    // Results can be written by other threads only into shared memory.
    const size = output === 0 ? target!.byteLength : 0;
    const place = output === 0 ? this.module.allocate(size) >>> 0 : output;
    const { block, words, doubles } = this.refresh();
    if (place !== 0) this.threads = crew.admitted;
    if (source > 0) {
      words[(block + controlBlock.source) >> 2] = source;
      doubles[(block + controlBlock.source_offset) >> 3] = (reader as DenseReader).byteOffset;
    }
    try {
      super.run(op, type, dims, flags, input, place, operator);
      if (size !== 0 && place !== 0) target!.set(this.refresh().bytes.subarray(place, place + size));
    } finally {
      this.threads = 1;
      words[(block + controlBlock.source) >> 2] = 0;
      // A lost worker may wake up one day and write there, so it stays.
      if (size !== 0 && place !== 0 && !this.#lost) this.module.release(place);
      if (this.#lost) crew.lost();
    }
  }

  #isLarge(dims: readonly number[]): boolean {
    let size = this.elementBytes;
    for (let i = 0; i < dims.length; i++) size *= dims[i]!;
    return size >= kTeamBytes;
  }
}

/** Whether this thread may wait; a browser's main thread must not. */
function mayBlock(): boolean {
  try {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 1, 0);
    return true;
  } catch {
    return false;
  }
}
