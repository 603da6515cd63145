// Stands in for worker_file.ts in the CommonJS build: with require() there is
// no address that bundlers would know the worker's file by.
export const startWorkerFile = null;
