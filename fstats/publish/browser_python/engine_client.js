// The engine as the page sees it: start it with its files, hand messages to Python, end it.  Only worker.js knows which Python it is.
class Engine {
  // `places` has the addresses worker, engine and course, and `more`: path -> [address, size]; `trouble` hears "ended" and "unkept"
  constructor(places, progress = () => {}, wants = () => {}, trouble = () => {}) {
    Object.assign(this, { places, progress, wants, trouble, waiting: new Map(), count: 0 });
  }

  start() { // the promise is the same however often one asks
    this.ready ||= new Promise((done, fail) => {
      const { worker, ...start } = this.places;
      this.fail = fail;
      this.worker = new Worker(worker);
      this.worker.onerror = (event) => this.stop(event.message || "the engine does not start here");
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

  async ask(message, tell = () => {}) { // answered with what Python says at last; `tell` hears what it says on the way
    await this.start();
    const number = this.count += 1;
    return new Promise((finish, fail) => {
      this.waiting.set(number, { tell, finish, fail });
      this.worker.postMessage({ ask: JSON.stringify({ number, ...message }) });
    });
  }

  stop(why = "stopped") { // what Python knew is gone; the next `start` begins anew
    this.worker?.terminate();
    this.fail?.(new Error(why));
    for (const { fail } of this.waiting.values()) fail(new Error(why));
    this.waiting.clear();
    this.ready = this.worker = undefined;
    this.trouble("ended");
  }
}
