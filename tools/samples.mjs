// Makes the sample arrays of web/public/data from the files that other packages
// ship. Its README.md names their origin and licences. The results are in the
// repository; this script is the record of how they came about:
//
//   npm install --no-save vega-datasets@3.2.1 fast-png@8.0.0
//   node tools/samples.mjs CHELSEA.PNG
//
// CHELSEA.PNG is skimage/data/chelsea.png of scikit-image 0.19.3.
import { readFileSync, writeFileSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { decode } from 'fast-png';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = `${root}web/public/data`;
const picture = process.argv[2];
if (!picture) throw new Error('usage: node tools/samples.mjs CHELSEA.PNG');

const bundle = `${root}build/samples/npy.mjs`;
buildSync({ entryPoints: [`${root}formats/npy.ts`], bundle: true, format: 'esm', outfile: bundle });
const { writeNpy } = await import(bundle);
mkdirSync(folder, { recursive: true });

const datasets = (name) => {
  const require = createRequire(import.meta.url);
  return JSON.parse(readFileSync(require.resolve(`vega-datasets/data/${name}.json`), 'utf8'));
};
const save = (name, tensor) => writeFileSync(`${folder}/${name}.npy`, writeNpy(tensor));

// Three by three pixels become one, their mean divided by 255; the column that
// is left over on the right is dropped.
{
  const { width, height, channels, data } = decode(readFileSync(picture));
  const dims = [Math.floor(height / 3), Math.floor(width / 3), 3];
  const pixels = new Float32Array(dims[0] * dims[1] * dims[2]);
  let at = 0;
  for (let y = 0; y < dims[0]; y++) {
    for (let x = 0; x < dims[1]; x++) {
      for (let channel = 0; channel < 3; channel++) {
        let sum = 0;
        for (let dy = 0; dy < 3; dy++) {
          for (let dx = 0; dx < 3; dx++) sum += data[((3 * y + dy) * width + 3 * x + dx) * channels + channel];
        }
        pixels[at++] = sum / 9 / 255;
      }
    }
  }
  save('chelsea', { type: 'float32', dims, data: pixels });
}

// The rows with all four measurements (two birds have none).
{
  const columns = ['Beak Length (mm)', 'Beak Depth (mm)', 'Flipper Length (mm)', 'Body Mass (g)'];
  const birds = datasets('penguins').filter((bird) => columns.every((column) => typeof bird[column] === 'number'));
  const data = Float64Array.from(birds.flatMap((bird) => columns.map((column) => bird[column])));
  save('penguins', { type: 'float64', dims: [birds.length, columns.length], data });
}

// A raster of one degree a cell in row order, the first row at 87 degrees north.
{
  const { width, height, values } = datasets('annual-precip');
  save('precipitation', { type: 'float32', dims: [height, width], data: Float32Array.from(values) });
}

// A raster of whole numbers, as it is.
{
  const { width, height, values } = datasets('annual-precip');
  save('precipitation', { type: 'float32', dims: [height, width], data: Float32Array.from(values) });
}
