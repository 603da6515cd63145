// Runs the bundled worker in workerd, and asks it once.
import { Miniflare } from 'miniflare';

const miniflare = new Miniflare({
  modules: true, scriptPath: 'dist/worker.mjs', compatibilityDate: '2026-01-01',
  modulesRules: [{ type: 'ESModule', include: ['**/*.mjs'] }, { type: 'CompiledWasm', include: ['**/*.wasm'] }],
});
const response = await miniflare.dispatchFetch('http://localhost/', { method: 'POST', body: new Float32Array([1, 2, 3]).buffer });
console.log(`ANSWER ${await response.text()}`);
await miniflare.dispose();
