// The files that ship with the page; public/data/README.md says where they
// come from. A model comes with its input.

export interface Sample {
  name: string;
  files: string[];
  about: string;
}

export const samples: Sample[] = [
  { name: 'precipitation.npy', files: ['precipitation.npy'], about: 'Rain and snow of 2016, a world map, float32' },
  { name: 'penguins.npy', files: ['penguins.npy'], about: 'Four measurements of 342 penguins, float64' },
  { name: 'chelsea.npy', files: ['chelsea.npy'], about: 'A cat as [H, W, C], float32' },
  { name: 'galaxies.jpg', files: ['galaxies.jpg'], about: 'Hubble\'s deep field, a picture' },
  { name: 'reduce_log_sum_data.pb', files: ['reduce_log_sum_data.pb'], about: 'A TensorProto from ONNX\'s node tests' },
  {
    name: 'reduce_log_sum.onnx', files: ['reduce_log_sum.onnx', 'reduce_log_sum_data.pb', 'reduce_log_sum_axes.pb'],
    about: 'A one-node model with its inputs',
  },
];
