// Only for threads: the headers under which the dev server's pages have them.
const headers = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

export default { server: { headers }, preview: { headers } };
