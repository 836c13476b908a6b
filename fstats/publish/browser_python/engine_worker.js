// Engine in a web worker: CPython as WebAssembly. Another build of Python can replace it if it answers the same messages:
// { start: { engine, course, more } } loads the engine (replies { fetched } and finally { ready }; files in `more` are loaded when read),
// { ask } passes a message to fstats.publish.browser_python.page_kernel, whose replies come back as { told }. To stop Python, end the worker.
const KEPT = "fstats-live"; // name of the cache for the engine
const PYTHON = "/usr/local/lib/python315.zip", COURSE = "/site";
const BOOT = `
import sys, zipimport
zipimport._zip_directory_cache.clear()
sys.path_importer_cache.clear()
sys.path[1:] = ["${COURSE}/jupyter_shims", "${COURSE}"]
import _host, library_importer
library_importer.install()
from fstats.publish.browser_python.page_kernel import handle_message as _answer
def _turn():
    _answer(_host.call(b"").decode(), lambda words: _host.call(words.encode()) and None)
`;
let turn, wanted = "", fetched = 0;

const counted = (body) => body.pipeThrough(new TransformStream({
  transform(part, into) {
    fetched += part.length;
    postMessage({ fetched });
    into.enqueue(part);
  },
}));
const cached = async (address) => { // the cache, if the browser allows one, and its entry for this address
  try {
    const cache = await caches.open(KEPT);
    return [cache, await cache.match(address)];
  } catch {
    postMessage({ unkept: true });
    return [];
  }
};
const putting = new Map(); // address -> promise that is fulfilled when the file is in the cache
const put = (cache, address, found) => putting.set(address, cache.put(address, found).catch(({ name }) => { // report only missing space here: `onmessage` reports an interrupted download
  if (name === "QuotaExceededError") postMessage({ unkept: true });
}));
const stored = async (address) => { // load a file from the cache, or from the server and add it to the cache
  const [cache, kept] = await cached(address);
  if (kept) return kept.body;
  const found = await fetch(address);
  if (!found.ok) throw new Error(`${address}: ${found.status}`);
  if (cache) put(cache, address, found.clone());
  return found.body;
};
const unpacked = async (address) => new Response(counted(await stored(address)).pipeThrough(new DecompressionStream("gzip")), {
  headers: { "content-type": "application/wasm" },
});
const packed = (data) => { // path -> bytes
  const size = new DataView(data).getUint32(0, true), start = 4 + size;
  const index = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, size)));
  return Object.fromEntries(Object.entries(index).map(([path, [at, length]]) => [path, new Uint8Array(data, start + at, length)]));
};

const later = ([address, size]) => ({ // loaded while Python waits; on a later visit the service worker answers from the cache
  length: size,
  load: () => {
    const asked = new XMLHttpRequest();
    postMessage({ wants: size });
    asked.open("GET", address, false);
    asked.responseType = "arraybuffer";
    asked.send();
    postMessage({ wants: 0 });
    if (asked.status !== 200) throw new Error(`${address}: ${asked.status}`);
    cached(address).then(([cache]) => cache?.put(address, new Response(asked.response))).catch(() => {});
    return new Uint8Array(asked.response);
  },
});

const start = async ({ engine, course, more }) => {
  const [module, files] = await Promise.all([
    unpacked(engine).then((found) => WebAssembly.compileStreaming(found)),
    unpacked(course).then((found) => found.arrayBuffer()).then(packed),
  ]);
  const words = new TextDecoder(), bytes = new TextEncoder();
  let said = "";
  const machine = system({
    files: { ...files, ...Object.fromEntries(Object.entries(more).map(([path, place]) => [path, later(place)])), "/tmp": null },
    args: ["/usr/local/bin/python.wasm"],
    env: ["HOME=/tmp", "TMPDIR=/tmp", "PYTHONTZPATH=", "MPLBACKEND=agg", "MPLCONFIGDIR=/tmp", "TQDM_DISABLE=1"],
    write: (_, part) => { said += words.decode(part); },
    call: (part) => {
      if (!part.length) return bytes.encode(wanted);
      postMessage({ told: JSON.parse(words.decode(part)) });
      return new Uint8Array();
    },
  });
  const instance = await WebAssembly.instantiate(module, machine.imports);
  machine.begin(instance);
  const run = (code) => {
    const data = bytes.encode(code);
    said = "";
    if (instance.exports.turn(machine.given(data), data.length)) throw new Error(said);
  };
  run(BOOT);
  turn = () => run("_turn()");
  putting.clear(); // all files are complete, so a later error must not remove them from the cache
  postMessage({ ready: true });
};

onmessage = async ({ data }) => {
  try {
    if (data.start) await start(data.start);
    else {
      wanted = data.ask;
      turn();
    }
  } catch (error) {
    const words = String(error.message || error);
    for (const [address, kept] of putting) { // remove incomplete files from the cache
      await kept;
      await caches.open(KEPT).then((cache) => cache.delete(address)).catch(() => {});
    }
    postMessage({ failed: data.start ? `the files for Python were not loaded completely (${words}): try again` : words });
  }
};
