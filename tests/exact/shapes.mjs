// Shapes and axes for the corpus: every layout that a planner could treat in a
// way of its own, with lengths that lie next to powers of two.

const kBorders = [];
for (let power = 1; power <= 65536; power *= 2) {
  for (const n of [power - 1, power, power + 1]) if (!kBorders.includes(n)) kBorders.push(n);
}

/** A length up to `limit`: small, next to a power of two, or anything. */
export function randomLength(random, limit) {
  const way = random.below(4);
  if (way === 0) return random.below(Math.min(limit, 40) + 1);
  if (way === 1) {
    const usable = kBorders.filter((n) => n <= limit);
    return random.pick(usable);
  }
  if (way === 2) return Math.min(limit, Math.floor(2 ** (random.unit() * Math.log2(limit + 1))));
  return random.between(1, Math.max(1, limit));
}

/** Splits a budget of elements into `parts` dims, each at least 1. */
function split(random, budget, parts) {
  const dims = [];
  let left = Math.max(1, budget);
  for (let i = 0; i < parts; i += 1) {
    const share = i === parts - 1 ? left : Math.max(1, Math.floor(left ** (random.unit() * 1.4 / (parts - i))));
    const dim = Math.min(left, i === parts - 1 ? Math.max(1, random.below(left) + 1) : share);
    dims.push(dim);
    left = Math.max(1, Math.floor(left / dim));
  }
  return dims;
}

const layouts = {
  all(random, budget) {
    const rank = random.between(1, 4);
    if (rank === 1) return { dims: [randomLength(random, budget)], axes: random.chance(0.5) ? undefined : [0] };
    return { dims: split(random, budget, rank), axes: undefined };
  },
  inner(random, budget) {
    const length = Math.max(1, randomLength(random, budget));
    return { dims: [random.between(1, Math.max(1, Math.floor(budget / length))), length], axes: [1] };
  },
  outer(random, budget) {
    const length = Math.max(1, randomLength(random, budget));
    return { dims: [length, random.between(1, Math.max(1, Math.floor(budget / length)))], axes: [0] };
  },
  middle(random, budget) {
    const [a, c] = [random.between(1, 9), Math.max(1, randomLength(random, Math.floor(budget / 30)))];
    return { dims: [a, Math.max(1, Math.floor(budget / (a * c))), c], axes: [1] };
  },
  tinyInner(random, budget) {
    const inner = random.between(1, 16);
    return { dims: [random.between(1, Math.max(1, Math.floor(budget / inner))), inner], axes: [1] };
  },
  tallNarrow(random, budget) {
    const width = random.between(1, 16);
    return { dims: [random.between(1, Math.max(1, Math.floor(budget / width))), width], axes: [0] };
  },
  tinyMiddle(random, budget) {
    const [reduced, inner] = [random.between(1, 16), random.between(1, 16)];
    return { dims: [Math.max(1, Math.floor(budget / (reduced * inner))), reduced, inner], axes: [1] };
  },
  nchw(random, budget) {
    return { dims: split(random, budget, 4), axes: [0, 2, 3] };
  },
  nhwc(random, budget) {
    return { dims: split(random, budget, 4), axes: [0, 1, 2] };
  },
  alternating(random, budget) {
    return { dims: split(random, budget, 5), axes: random.chance(0.5) ? [0, 2, 4] : [1, 3] };
  },
  anything(random, budget) {
    const rank = random.between(1, 7);
    const dims = split(random, budget, rank);
    for (let i = dims.length - 1; i > 0; i -= 1) {
      const j = random.below(i + 1);
      [dims[i], dims[j]] = [dims[j], dims[i]];
    }
    const axes = dims.map((_, axis) => axis).filter(() => random.chance(0.5));
    return { dims, axes: axes.length === 0 ? [random.below(rank)] : axes };
  },
  ones(random, budget) {
    const { dims, axes } = layouts.anything(random, budget);
    const spread = [];
    const places = [];
    dims.forEach((dim, axis) => {
      while (random.chance(0.4)) spread.push(1);
      if (axes.includes(axis)) places.push(spread.length);
      spread.push(dim);
    });
    const extra = spread.map((_, axis) => axis).filter((axis) => spread[axis] === 1 && random.chance(0.3));
    return { dims: spread, axes: [...new Set([...places, ...extra])] };
  },
  zeros(random) {
    const rank = random.between(1, 4);
    const dims = Array.from({ length: rank }, () => random.below(4));
    dims[random.below(rank)] = 0;
    const axes = dims.map((_, axis) => axis).filter(() => random.chance(0.5));
    return { dims, axes };
  },
  scalar(random) {
    return { dims: random.chance(0.5) ? [] : [1], axes: undefined };
  },
  rankTen(random) {
    const dims = Array.from({ length: 10 }, () => random.between(1, 3));
    const axes = dims.map((_, axis) => axis).filter(() => random.chance(0.5));
    return { dims, axes };
  },
  noop(random, budget) {
    return { dims: split(random, Math.min(budget, 300), random.between(1, 3)), axes: [], noopWithEmptyAxes: true };
  },
};

export const layoutNames = Object.keys(layouts);

/**
 * A random shape of a layout with at most about `budget` elements. Axes come
 * in any order, some of them negative.
 */
export function randomShape(random, budget, name = random.pick(layoutNames)) {
  const { dims, axes, noopWithEmptyAxes = false } = layouts[name](random, budget);
  let order = axes;
  if (axes !== undefined && axes.length > 0) {
    order = axes.map((axis) => (random.chance(0.2) ? axis - dims.length : axis));
    if (random.chance(0.2)) order.reverse();
    if (random.chance(0.05)) order.push(random.pick(axes));
  }
  return { layout: name, dims, axes: order, keepdims: random.chance(0.5), noopWithEmptyAxes };
}
