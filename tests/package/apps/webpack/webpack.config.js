export default {
  mode: 'production',
  entry: './src/main.js',
  // What is loaded later is found beside the script, wherever that is.
  output: { publicPath: 'auto' },
};
