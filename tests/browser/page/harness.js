// The smallest test harness that reports from a page.

/** Collects checks; each is run at once, and one that throws has failed. */
export class Checks {
  results = [];
  #onStart;

  /** @param {(name: string) => void} onStart is told what is about to run, so that a hang has a name */
  constructor(onStart = () => {}) {
    this.#onStart = onStart;
  }

  async check(name, body) {
    this.#onStart(name);
    try {
      await body();
      this.results.push({ name });
    } catch (error) {
      this.results.push({ name, error: `${error?.name ?? 'Error'}: ${error?.message ?? error}` });
    }
  }
}

/** Throws unless both have the same JSON. */
export function equal(actual, expected, what = 'value') {
  const [a, e] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== e) throw new Error(`${what} is ${a}, not ${e}`);
}

export function ok(condition, message) {
  if (!condition) throw new Error(message);
}

/** What a function throws. */
export function thrownBy(body) {
  try {
    body();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

/** Waits for a promise, but not for ever. */
export function within(seconds, promise) {
  return Promise.race([promise, new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`not settled within ${seconds} s`)), seconds * 1000);
  })]);
}

/** Everything that is printed or goes unhandled from now on. */
export function watchNoise() {
  const noise = [];
  for (const method of ['log', 'info', 'warn', 'error', 'debug', 'trace']) {
    const original = console[method];
    console[method] = (...args) => {
      noise.push(`console.${method}: ${args.map(String).join(' ')}`);
      original.apply(console, args);
    };
  }
  addEventListener('error', (event) => noise.push(`error: ${event.message}`));
  addEventListener('unhandledrejection', (event) => noise.push(`unhandled: ${event.reason}`));
  return noise;
}
