// Threads need a cross-origin isolated page. Where the host sends the headers
// there is nothing to do; where it cannot, a service worker adds them, but only
// once the visitor asks for threads: it means a reload.

/** Whether a service worker could isolate this page. */
export function canIsolate(): boolean {
  return !globalThis.crossOriginIsolated && isSecureContext && 'serviceWorker' in navigator;
}

/** Registers the service worker and reloads under it; rejects where the browser refuses. */
export async function isolate(): Promise<void> {
  const url = new URL('./coi-serviceworker.js', document.baseURI);
  await navigator.serviceWorker.register(url);
  await navigator.serviceWorker.ready;
  if (!navigator.serviceWorker.controller) {
    await new Promise((resume) => {
      navigator.serviceWorker.addEventListener('controllerchange', resume, { once: true });
      // A controller that never claims the page does so after the reload.
      setTimeout(resume, 2000);
    });
  }
  location.reload();
}
