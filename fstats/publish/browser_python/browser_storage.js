// Storage of a page in the IndexedDB of the browser: input and outputs of each cell, an opened notebook, the progress of the student, added
// files. The key of a cell is [path of the page, id], so that two tabs can conflict in one cell at most; the key of a file is [path, name].
const STORES = ["cells", "notebooks", "progress", "files"];
let database;
const opened = () => (database ||= new Promise((done, fail) => {
  const asked = indexedDB.open("fstats", 3);
  asked.onupgradeneeded = () => {
    const there = asked.result.objectStoreNames;
    STORES.filter((name) => !there.contains(name)).forEach((name) => asked.result.createObjectStore(name));
  };
  asked.onerror = asked.onblocked = () => fail(asked.error);
  asked.onsuccess = () => {
    asked.result.onversionchange = () => asked.result.close(); // so that a page of a later version can change the stores
    done(asked.result);
  };
}));
const stores = async (does) => { // run `does` in one transaction; returns the result of the request that `does` returns
  const turn = (await opened()).transaction(STORES, "readwrite"), asked = does(...STORES.map((name) => turn.objectStore(name)));
  return new Promise((done, fail) => {
    turn.oncomplete = () => done(asked?.result);
    turn.onabort = () => fail(turn.error);
  });
};
const partsOf = (path) => IDBKeyRange.bound([path], [path, []]);
const unkept = () => {
  notice("kept", "This browser cannot store your answers (no free space, or not allowed). Download your notebook before you leave.");
};
