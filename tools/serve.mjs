// A static server for the demo page, with the headers that let it have threads.
// Usage: node tools/serve.mjs [FOLDER] [--port N] [--host NAME]
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { SetupError, runTool } from './setup/report.mjs';

// SharedArrayBuffer exists only in pages that are isolated in this way.
const isolation = [
  { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
  { key: 'Cross-Origin-Embedder-Policy', value: 'require-corp' },
  { key: 'Cross-Origin-Resource-Policy', value: 'same-origin' },
  // A rebuilt page must not be mixed with old files.
  { key: 'Cache-Control', value: 'no-cache' },
];

function listen(server, port, host) {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.removeListener('error', reject);
      resolve();
    });
  });
}

/**
 * Serves a folder on the first free port from `port` up.
 * @param {string} folder
 * @param {{ port?: number, host?: string, isolated?: boolean }} options
 * @returns {Promise<{ url: string, server: import('node:http').Server }>}
 */
export async function serve(folder, { port = 8080, host = 'localhost', isolated = true } = {}) {
  // Imported only now: a fresh clone has no npm packages until the set-up ran.
  const { default: handler } = await import('serve-handler');
  const options = {
    public: folder, directoryListing: false, etag: true,
    // A folder answers with its index.html, under an address that ends with a
    // slash, so that what the page names beside it is found; files stay as they are written.
    cleanUrls: ['/', '/**/!(*.*)'], trailingSlash: true,
    headers: isolated ? [{ source: '**', headers: isolation }] : [],
  };
  for (let candidate = port; candidate < Math.min(port + 100, 65536); ++candidate) {
    const server = createServer((request, response) => handler(request, response, options));
    try {
      await listen(server, candidate, host);
      return { url: `http://${host}:${candidate}/`, server };
    } catch (error) {
      if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') throw error;
    }
  }
  throw new SetupError(`No port from ${port} up is free on ${host}.`, 'pass another one with --port.');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runTool(async () => {
    const { values, positionals } = parseArgs({ allowPositionals: true, options: { port: { type: 'string', default: '8080' }, host: { type: 'string', default: 'localhost' } } });
    const { url } = await serve(positionals[0] ?? fileURLToPath(new URL('../web/dist', import.meta.url)), { port: Number(values.port), host: values.host });
    console.log(`Serving ${url} (Ctrl-C ends it)`);
  });
}
