/* A service worker that isolates the page: a browser gives the solver the memory it shares with its
   threads only to a page that is served like this. It also holds scripts to the policy of the page,
   those of workers too. It keeps nothing and asks nobody else. */

const HEADERS = {
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; " +
    "connect-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
    "frame-src 'self'; base-uri 'none'; form-action 'none'",
}

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
self.addEventListener('fetch', (event) => {
  const { request } = event
  if (request.method !== 'GET' || new URL(request.url).origin !== self.location.origin) return
  event.respondWith(isolated(request))
})

async function isolated(request) {
  const response = await fetch(request)
  if (response.status === 0 || response.status === 304) return response
  const headers = new Headers(response.headers)
  for (const [name, value] of Object.entries(HEADERS)) headers.set(name, value)
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers })
}
