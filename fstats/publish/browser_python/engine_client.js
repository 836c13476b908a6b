// Client of the engine: start it with its files, send messages to Python, stop it. Only engine_worker.js depends on the kind of Python.
class Engine {
  // `places` has the addresses worker, engine and course, and `more`: path -> [address, size]. `trouble` is called with "ended" after Python has
  // stopped, and with "unkept" if the browser cannot store the files.
  constructor(places, progress = () => {}, wants = () => {}, trouble = () => {}) {
    Object.assign(this, { places, progress, wants, trouble, waiting: new Map(), count: 0 });
  }

  start() { // repeated calls return the same promise
    this.ready ||= new Promise((done, fail) => {
      const { worker, ...start } = this.places;
      this.fail = fail;
      this.worker = new Worker(worker);
      this.worker.onerror = (event) => this.stop(event.message || "the engine does not start in this browser");
      this.worker.onmessage = ({ data }) => {
        if (data.fetched) this.progress(data.fetched);
        else if ("wants" in data) this.wants(data.wants);
        else if (data.ready) done();
        else if (data.unkept) this.trouble("unkept");
        else if (data.failed) this.stop(data.failed);
        else this.hear(data.told);
      };
      this.worker.postMessage({ start });
    });
    return this.ready;
  }

  hear({ number, done, ...told }) {
    const { tell, finish } = this.waiting.get(number);
    if (!done) return tell(told);
    this.waiting.delete(number);
    finish(told);
  }

  async ask(message, tell = () => {}) { // returns the last reply of Python; `tell` is called with each earlier reply
    await this.start();
    const number = this.count += 1;
    return new Promise((finish, fail) => {
      this.waiting.set(number, { tell, finish, fail });
      this.worker.postMessage({ ask: JSON.stringify({ number, ...message }) });
    });
  }

  stop(why = "stopped") { // the state of Python is lost; the next `start` starts a new engine
    this.worker?.terminate();
    this.fail?.(new Error(why));
    for (const { fail } of this.waiting.values()) fail(new Error(why));
    this.waiting.clear();
    this.ready = this.worker = undefined;
    this.trouble("ended");
  }
}
