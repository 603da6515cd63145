// Measuring on a machine that others use, too: samples of all subjects are
// interleaved, ratios are taken within one round, and the median of the rounds
// is what counts. Where one thread works, its processor time is used: what
// others take from it doesn't count then.

/** Middle value; of an even number the mean of the two middle ones. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

export const geometricMean = (values) => Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);

const cpuMicroseconds = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

let sink;
function callSync(run, calls) {
  for (let i = 0; i < calls; i++) sink = run();
}
async function callAsync(run, calls) {
  for (let i = 0; i < calls; i++) sink = await run();
}

/** What the last call returned. */
export const lastResult = () => sink;

async function timed({ run, isAsync }, calls) {
  const cpu = cpuMicroseconds();
  const start = performance.now();
  if (isAsync) await callAsync(run, calls);
  else callSync(run, calls);
  const wall = (performance.now() - start) / calls;
  return { wall, cpu: (cpuMicroseconds() - cpu) / 1000 / calls };
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Calls a subject until the engine has compiled it for speed, and decides how
 * many calls make one sample. V8 compiles in the background, so there are
 * pauses; a slow subject runs long enough within a few calls.
 * @param {{ sampleMs: number, warmMs: number }} settings
 */
async function warmUp(subject, { sampleMs, warmMs }) {
  let spent = 0;
  let best = Infinity;
  for (let round = 0; round < 4 || spent < warmMs; round++) {
    const calls = Math.max(1, Math.min(100_000, Math.floor(warmMs / 8 / best)));
    const { wall } = await timed(subject, calls);
    spent += wall * calls;
    best = Math.min(best, wall);
    await pause(2);
    if (spent > 8 * warmMs) break;
  }
  subject.calls = Math.max(1, Math.min(1_000_000, Math.round(sampleMs / best)));
  subject.expected = best;
}

/**
 * Measures subjects against each other.
 * @param {{ name: string, run: Function, isAsync?: boolean }[]} subjects
 * @param {{ rounds: number, sampleMs: number, warmMs: number, budgetMs: number, untimedFirst: boolean }} settings
 *   budgetMs: what one subject may take in all; slower ones sit out later rounds (3 are always measured).
 *   untimedFirst: one call before each sample, so that all find the caches filled by their own data.
 * @returns {Promise<Map<string, ({ wall: number, cpu: number } | undefined)[]>>} milliseconds per call, by round
 */
export async function measure(subjects, settings) {
  const samples = new Map(subjects.map(({ name }) => [name, []]));
  for (const subject of subjects) await warmUp(subject, settings);
  for (let round = 0; round < settings.rounds; round++) {
    // Every other round runs backwards: a drift of the clock then hits both
    // members of a pair alike.
    const order = round % 2 === 0 ? subjects : [...subjects].reverse();
    for (const subject of order) {
      const cost = subject.expected * (subject.calls + (settings.untimedFirst ? 1 : 0));
      if (round >= 3 && cost * (round + 1) > settings.budgetMs) continue;
      if (settings.untimedFirst) await timed(subject, 1);
      samples.get(subject.name)[round] = await timed(subject, subject.calls);
    }
  }
  return samples;
}

/** Median of a subject's samples. */
export const typical = (samples, clock) => median(samples.filter((sample) => sample !== undefined).map((sample) => sample[clock]));

/** How many times faster `a` is than `b`: the median of their ratios, round by round. */
export function speedRatio(a, b, clock) {
  const ratios = [];
  a.forEach((sample, round) => {
    if (sample !== undefined && b[round] !== undefined) ratios.push(b[round][clock] / sample[clock]);
  });
  return ratios.length === 0 ? null : median(ratios);
}
