import { reduceInWorker } from './client.js';

const millions = document.getElementById('millions');
const start = document.getElementById('start');
const result = document.getElementById('result');
const frames = document.getElementById('frames');

start.addEventListener('click', async () => {
  start.disabled = true;
  result.textContent = 'Computing ...';
  try {
    const data = new Float32Array(Number(millions.value) * 1e6);
    for (let i = 0; i < data.length; i++) data[i] = (i % 1000) / 1000;
    const before = performance.now();
    const y = await reduceInWorker('reduceSumSquare', { data, dims: [data.length] }, { keepdims: false });
    result.textContent = `${y.data[0]} after ${Math.round(performance.now() - before)} ms`;
  } catch (error) {
    result.textContent = error.message;
  }
  start.disabled = false;
});

let drawn = 0;
requestAnimationFrame(function count() {
  frames.value = ++drawn;
  requestAnimationFrame(count);
});
