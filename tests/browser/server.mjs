// The server of the test pages. The first part of a path names a set of
// headers, so that one set of files is seen under many of them; the second
// names a folder. Pages send back what they found out with a POST to /report.
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { pipeline } from 'node:stream';

const mimeTypes = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css',
  '.json': 'application/json', '.wasm': 'application/wasm', '.svg': 'image/svg+xml', '.png': 'image/png', '.jpg': 'image/jpeg',
};

/** What makes a page cross-origin isolated, and its workers and scripts fit for it. */
const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
};
const policy = (...directives) => ({ 'Content-Security-Policy': directives.join('; ') });
const strict = ["default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "worker-src 'self'", "connect-src 'self'"];

/** The sets of headers by name. */
export const headerSets = {
  plain: {},
  isolated: isolation,
  csp: policy(...strict),
  'isolated-csp': { ...isolation, ...policy(...strict) },
  'isolated-csp-blob': { ...isolation, ...policy(...strict.map((line) => (line.startsWith('worker-src') ? "worker-src 'self' blob:" : line))) },
  // For pages whose bundler writes scripts into them.
  'isolated-csp-inline': { ...isolation, ...policy(...strict.map((line) => line.replace("script-src 'self'", "script-src 'self' 'unsafe-inline'"))) },
  // No WebAssembly at all, and no workers at all.
  'csp-no-wasm': policy(...strict.map((line) => line.replace(" 'wasm-unsafe-eval'", ''))),
  'isolated-csp-no-workers': { ...isolation, ...policy(...strict.map((line) => (line.startsWith('worker-src') ? "worker-src 'none'" : line))) },
  // What a public CDN sends.
  cdn: { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' },
};

function sendFile(response, path, headers) {
  const stat = statSync(path, { throwIfNoEntry: false });
  const file = stat?.isDirectory() ? join(path, 'index.html') : path;
  const size = stat?.isFile() ? stat.size : statSync(file, { throwIfNoEntry: false })?.size;
  if (size === undefined) {
    response.writeHead(404, { ...headers, 'Content-Type': 'text/html' }).end('<!doctype html><title>Not found</title>');
    return;
  }
  response.writeHead(200, {
    ...headers, 'Content-Type': mimeTypes[extname(file)] ?? 'application/octet-stream', 'Content-Length': size, 'Cache-Control': 'no-store',
  });
  pipeline(createReadStream(file), response, () => {});
}

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * Serves /SET/FOLDER/PATH, with SET out of headerSets, on a free port.
 * @param {Record<string, string>} folders the folder on disk for each FOLDER
 */
export async function startServer(folders) {
  /** @type {Map<string, (report: any) => void>} */
  const waiting = new Map();
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://any').pathname);
    if (request.method === 'POST' && path.startsWith('/report/')) {
      const body = await bodyOf(request);
      response.writeHead(204).end();
      waiting.get(path.slice('/report/'.length))?.(JSON.parse(body));
      return;
    }
    const [, set, folder, ...rest] = path.split('/');
    const headers = headerSets[set];
    const root = Object.hasOwn(folders, folder ?? '') ? folders[folder] : undefined;
    const inside = normalize(rest.join(sep));
    if (!headers || !root || inside.startsWith('..')) {
      response.writeHead(404, headers ?? {}).end();
      return;
    }
    sendFile(response, join(root, inside), headers);
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const origin = `http://127.0.0.1:${server.address().port}`;
  let count = 0;
  return {
    origin,
    /** An address for a page's report, and the promise of the report. */
    expectReport(seconds) {
      const id = String(++count);
      let timer;
      const report = new Promise((resolve, reject) => {
        waiting.set(id, resolve);
        timer = setTimeout(() => reject(new Error(`no report came within ${seconds} s`)), seconds * 1000);
      }).finally(() => {
        clearTimeout(timer);
        waiting.delete(id);
      });
      // Whoever gives up on the page meanwhile isn't told of it a second time.
      report.catch(() => {});
      return { id, report };
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
