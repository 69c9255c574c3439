// Keeps all of an export in the browser: a second visit needs no network.

if (isSecureContext) void navigator.serviceWorker?.register(new URL("worker.js", document.baseURI));
