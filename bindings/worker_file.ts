// The worker from a file of the package. Written literally, as bundlers know
// this pattern and bring the file along. The CommonJS build, which has no
// import.meta, gets worker_no_file.ts instead.
export function startWorkerFile(): Worker {
  return new Worker(new URL('./reduce-worker.mjs', import.meta.url), { type: 'module' });
}
