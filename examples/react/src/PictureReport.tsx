import { useMemo, useState } from 'react';
import { reduceLogSum, reduceSumSquare, ReduceError } from 'onnx-reduce';

interface Picture {
  data: Float32Array;
  dims: [height: number, width: number, channels: number];
}

const channels = ['red', 'green', 'blue'];

/** Lets a person choose a picture and shows how strong each of its colours is. */
export function PictureReport() {
  const [picture, setPicture] = useState<Picture>();
  const [problem, setProblem] = useState<string>();

  // Nothing to await and nothing to initialise: the functions can be called
  // while rendering, and useMemo keeps them from being called again for nothing.
  const report = useMemo(() => {
    if (!picture) return undefined;
    const power = reduceSumSquare(picture, { axes: [0, 1], keepdims: false }).data;
    const brightness = reduceLogSum(picture, { axes: [0, 1], keepdims: false }).data;
    const pixels = picture.dims[0] * picture.dims[1];
    return channels.map((name, i) => ({
      name,
      rootMeanSquare: Math.sqrt(power[i]! / pixels),
      mean: Math.exp(brightness[i]!) / pixels,
    }));
  }, [picture]);

  async function choose(file: File | undefined) {
    setProblem(undefined);
    try {
      setPicture(file && (await readPicture(file)));
    } catch (error) {
      // A ReduceError tells by its code what was wrong with a tensor; anything
      // else here is a file that is no picture.
      setProblem(error instanceof ReduceError ? `${error.code}: ${error.message}` : 'This file is no picture.');
    }
  }

  return (
    <main>
      <h1>The power of each colour</h1>
      <label>
        A picture: <input type="file" accept="image/*" onChange={(event) => void choose(event.target.files?.[0])} />
      </label>
      {problem && <p role="alert">{problem}</p>}
      {report && (
        <table>
          <thead>
            <tr><th>channel</th><th>mean</th><th>root mean square</th></tr>
          </thead>
          <tbody>
            {report.map(({ name, mean, rootMeanSquare }) => (
              <tr key={name}><th>{name}</th><td>{mean.toFixed(4)}</td><td>{rootMeanSquare.toFixed(4)}</td></tr>
            ))}
          </tbody>
        </table>
      )}
    </main>
  );
}

/** The pixels as a tensor [height, width, 3] with values from 0 to 1. */
async function readPicture(file: File): Promise<Picture> {
  const bitmap = await createImageBitmap(file);
  const { width, height } = bitmap;
  const context = new OffscreenCanvas(width, height).getContext('2d')!;
  context.drawImage(bitmap, 0, 0);
  const pixels = context.getImageData(0, 0, width, height).data;
  const data = new Float32Array(width * height * 3);
  for (let from = 0, to = 0; from < pixels.length; from += 4) {
    for (let channel = 0; channel < 3; channel++) data[to++] = pixels[from + channel]! / 255;
  }
  return { data, dims: [height, width, 3] };
}
