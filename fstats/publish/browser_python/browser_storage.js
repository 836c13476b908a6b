// What this browser keeps, by the page's path: what was typed and shown in each cell, a notebook that was opened, where a student stands,
// files that he added.  Cells have keys [path, id], so that two tabs write over each other at most in one cell; files [path, name].
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
    asked.result.onversionchange = () => asked.result.close(); // a later build may want to store otherwise
    done(asked.result);
  };
}));
const stores = async (does) => { // all that `does` wants of the stores is done, or nothing; answered with what it asked for
  const turn = (await opened()).transaction(STORES, "readwrite"), asked = does(...STORES.map((name) => turn.objectStore(name)));
  return new Promise((done, fail) => {
    turn.oncomplete = () => done(asked?.result);
    turn.onabort = () => fail(turn.error);
  });
};
const partsOf = (path) => IDBKeyRange.bound([path], [path, []]);
const unkept = () => {
  notice("kept", "This browser keeps nothing of what you type: it has no room, or may not. Download your notebook before you leave.");
};
