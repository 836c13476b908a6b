// System calls (WASI preview 1) for the engine's Python: files in memory, clock, random numbers; no network, no access to the machine.
// The constants are those of WASI preview 1.
const [BADF, EXIST, INVAL, ISDIR, NOENT, NOSYS, NOTDIR, NOTEMPTY] = [8, 20, 28, 31, 44, 52, 54, 55];
const [DEVICE, FOLDER, FILE] = [2, 3, 4];
const [CREATE, ONLY_FOLDER, EXCLUSIVE, TRUNCATE] = [1, 2, 4, 8];
const ROOT = 3; // file descriptor of "/", the only folder that is open at the start

class Exit extends Error {}

function system({ files, args, env, write, call }) {
  let memory, exports, made = 1;
  const text = new TextEncoder(), words = new TextDecoder();
  const folder = () => ({ kind: FOLDER, inside: new Map(), number: made += 1 });
  const file = (data) => ({ kind: FILE, data, size: data.length, load: data.load, number: made += 1 });
  const view = () => new DataView(memory.buffer);
  const bytes = (at, length) => new Uint8Array(memory.buffer, at, length);
  const root = folder();
  const open = [
    { node: { kind: DEVICE, size: 0 } },
    ...[1, 2].map((number) => ({ node: { kind: DEVICE, size: 0, write: (part) => write(number, part) } })),
    { node: root },
  ];

  // -- paths -------------------------------------------------------------------------------------------------------------------
  const find = (start, path) => { // returns the parent folder, the last name of the path, and the file or folder of this name
    let node = start, holds = start, name = "";
    const above = [];
    for (const part of path.split("/").filter((one) => one && one !== ".")) {
      if (!node) return { error: NOENT };
      if (node.kind !== FOLDER) return { error: NOTDIR };
      if (part === "..") {
        node = above.pop() || root;
        continue;
      }
      above.push(node);
      [holds, name] = [node, part];
      node = node.inside.get(part);
    }
    return { holds, name, node };
  };
  const at = (fd, start, length) => (open[fd] ? find(open[fd].node, words.decode(bytes(start, length).slice())) : { error: BADF });
  const put = (path, data) => {
    const parts = path.split("/").filter(Boolean), name = parts.pop();
    let node = root;
    for (const part of parts) {
      if (!node.inside.has(part)) node.inside.set(part, folder());
      node = node.inside.get(part);
    }
    node.inside.set(name, data ? file(data) : folder());
  };
  for (const [path, data] of Object.entries(files)) put(path, data);

  // -- reading and writing --------------------------------------------------------------------------------------------------------
  const vectors = (start, count) =>
    Array.from({ length: count }, (_, k) => [view().getUint32(start + 8 * k, true), view().getUint32(start + 8 * k + 4, true)]);
  const take = (node, from, start, count, told) => {
    let done = 0;
    if (node.load && !node.data.subarray) node.data = node.load(); // loaded when it is first read
    for (const [into, length] of node.kind === FILE ? vectors(start, count) : []) {
      const part = node.data.subarray(from + done, Math.min(from + done + length, node.size));
      bytes(into, part.length).set(part);
      done += part.length;
    }
    view().setUint32(told, done, true);
    return done;
  };
  const resize = (node, size) => {
    if (size > node.data.length) {
      const larger = new Uint8Array(Math.max(size, 2 * node.data.length, 1024));
      larger.set(node.data.subarray(0, node.size));
      node.data = larger;
    } else if (size < node.size) node.data.fill(0, size, node.size);
    node.size = size;
  };
  const give = (node, to, start, count, told) => {
    let done = 0;
    for (const [from, length] of vectors(start, count)) {
      if (node.write) node.write(bytes(from, length).slice());
      else {
        if (to + done + length > node.size) resize(node, to + done + length);
        node.data.set(bytes(from, length), to + done);
      }
      done += length;
    }
    view().setUint32(told, done, true);
    return done;
  };
  const stat = (node, into) => {
    bytes(into, 64).fill(0);
    view().setBigUint64(into + 8, BigInt(node.number || 0), true);
    view().setUint8(into + 16, node.kind);
    view().setBigUint64(into + 24, 1n, true);
    view().setBigUint64(into + 32, BigInt(node.size || 0), true);
    return 0;
  };
  const known = (does) => (fd, ...rest) => (open[fd] ? does(open[fd], ...rest) : BADF);
  const ofFile = (does) => known((one, ...rest) => (one.node.kind === FILE ? does(one, ...rest) : INVAL));
  const list = (strings) => ({
    sizes: (count, size) => {
      view().setUint32(count, strings.length, true);
      view().setUint32(size, strings.reduce((sum, one) => sum + text.encode(one).length + 1, 0), true);
      return 0;
    },
    get: (pointers, into) => {
      strings.forEach((one, k) => {
        const data = text.encode(`${one}\0`);
        view().setUint32(pointers + 4 * k, into, true);
        bytes(into, data.length).set(data);
        into += data.length;
      });
      return 0;
    },
  });
  const now = (clock) => BigInt(Math.round((clock ? performance.now() : Date.now()) * 1e6));
  const [ours, theirs] = [list(args), list(env)];

  const calls = {
    args_get: ours.get,
    args_sizes_get: ours.sizes,
    environ_get: theirs.get,
    environ_sizes_get: theirs.sizes,
    clock_res_get: (_, into) => { view().setBigUint64(into, 1000000n, true); return 0; },
    clock_time_get: (clock, _, into) => { view().setBigUint64(into, now(clock), true); return 0; },
    fd_close: known(({ node }, fd) => node && 0),
    fd_fdstat_get: known(({ node, append }, into) => {
      bytes(into, 24).fill(0);
      view().setUint8(into, node.kind);
      view().setUint16(into + 2, append ? 1 : 0, true);
      view().setBigUint64(into + 8, 0x1fffffffn, true);
      view().setBigUint64(into + 16, 0x1fffffffn, true);
      return 0;
    }),
    fd_filestat_get: known(({ node }, into) => stat(node, into)),
    fd_filestat_set_size: ofFile(({ node }, size) => { resize(node, Number(size)); return 0; }),
    fd_pread: ofFile(({ node }, start, count, from, told) => { take(node, Number(from), start, count, told); return 0; }),
    fd_pwrite: ofFile(({ node }, start, count, to, told) => { give(node, Number(to), start, count, told); return 0; }),
    fd_prestat_get: (fd, into) => {
      if (fd !== ROOT) return BADF;
      view().setUint32(into, 0, true);
      view().setUint32(into + 4, 1, true);
      return 0;
    },
    fd_prestat_dir_name: (_, into) => { bytes(into, 1).set(text.encode("/")); return 0; },
    fd_read: known((one, start, count, told) => {
      one.at = (one.at || 0) + take(one.node, one.at || 0, start, count, told);
      return one.node.kind === FOLDER ? ISDIR : 0;
    }),
    fd_readdir: known(({ node }, into, length, cookie, told) => {
      if (node.kind !== FOLDER) return NOTDIR;
      const entries = [...node.inside].slice(Number(cookie));
      let used = 0, next = cookie;
      for (const [name, { kind, number }] of entries) {
        const entry = new Uint8Array(24 + text.encode(name).length), head = new DataView(entry.buffer);
        next += 1n;
        head.setBigUint64(0, next, true);
        head.setBigUint64(8, BigInt(number), true);
        head.setUint32(16, entry.length - 24, true);
        head.setUint8(20, kind);
        entry.set(text.encode(name), 24);
        const part = entry.subarray(0, length - used);
        bytes(into + used, part.length).set(part);
        used += part.length;
        if (part.length < entry.length) break;
      }
      view().setUint32(told, used, true);
      return 0;
    }),
    fd_seek: ofFile((one, offset, whence, into) => {
      const to = Number(offset) + [0, one.at || 0, one.node.size][whence];
      if (to < 0) return INVAL;
      one.at = to;
      view().setBigUint64(into, BigInt(to), true);
      return 0;
    }),
    fd_tell: known((one, into) => { view().setBigUint64(into, BigInt(one.at || 0), true); return 0; }),
    fd_write: known((one, start, count, told) => {
      if (one.node.kind === FOLDER) return ISDIR;
      if (one.append) one.at = one.node.size;
      one.at = (one.at || 0) + give(one.node, one.at || 0, start, count, told);
      return 0;
    }),
    path_create_directory: (fd, start, length) => {
      const { holds, name, node, error } = at(fd, start, length);
      if (error || node) return error || EXIST;
      holds.inside.set(name, folder());
      return 0;
    },
    path_filestat_get: (fd, _, start, length, into) => {
      const { node, error } = at(fd, start, length);
      return error || (node ? stat(node, into) : NOENT);
    },
    path_open: (fd, _, start, length, how, rights, inherited, flags, into) => {
      const { holds, name, node, error } = at(fd, start, length);
      let found = node;
      if (error) return error;
      if (found && how & CREATE && how & EXCLUSIVE) return EXIST;
      if (found && how & ONLY_FOLDER && found.kind !== FOLDER) return NOTDIR;
      if (!found && !(how & CREATE)) return NOENT;
      if (!found) holds.inside.set(name, found = file(new Uint8Array()));
      if (how & TRUNCATE && found.kind === FILE) [found.data, found.size] = [new Uint8Array(), 0];
      const number = open.findIndex((one, k) => k > ROOT && !one), free = number < 0 ? open.length : number;
      open[free] = { node: found, append: !!(flags & 1) };
      view().setUint32(into, free, true);
      return 0;
    },
    path_remove_directory: (fd, start, length) => {
      const { holds, name, node, error } = at(fd, start, length);
      if (error || !node) return error || NOENT;
      if (node.kind !== FOLDER || node.inside.size) return node.kind === FOLDER ? NOTEMPTY : NOTDIR;
      holds.inside.delete(name);
      return 0;
    },
    path_rename: (fd, start, length, other, begin, size) => {
      const from = at(fd, start, length), to = at(other, begin, size);
      if (from.error || to.error || !from.node) return from.error || to.error || NOENT;
      from.holds.inside.delete(from.name);
      to.holds.inside.set(to.name, from.node);
      return 0;
    },
    path_unlink_file: (fd, start, length) => {
      const { holds, name, node, error } = at(fd, start, length);
      if (error || !node) return error || NOENT;
      if (node.kind === FOLDER) return ISDIR;
      holds.inside.delete(name);
      return 0;
    },
    path_readlink: () => INVAL, // there are no links
    poll_oneoff: (wishes, events, count, told) => { // supports only sleeping, as a busy wait
      if (!count || view().getUint8(wishes + 8)) return NOSYS;
      const clock = view().getUint32(wishes + 16, true), time = view().getBigUint64(wishes + 24, true);
      const until = view().getUint16(wishes + 40, true) & 1 ? time : now(clock) + time;
      while (now(clock) < until);
      bytes(events, 32).fill(0);
      view().setBigUint64(events, view().getBigUint64(wishes, true), true);
      view().setUint32(told, 1, true);
      return 0;
    },
    proc_exit: (code) => { throw new Exit(`Python has ended (${code})`); },
    random_get: (into, length) => {
      for (let k = 0; k < length; k += 65536) crypto.getRandomValues(bytes(into + k, Math.min(65536, length - k)));
      return 0;
    },
  };
  for (const name of ["fd_advise", "fd_datasync", "fd_fdstat_set_flags", "fd_sync", "fd_filestat_set_times", "path_filestat_set_times", "sched_yield"]) {
    calls[name] = () => 0;
  }
  for (const name of ["path_link", "path_symlink", "sock_accept", "sock_recv", "sock_send", "sock_shutdown"]) calls[name] = () => NOSYS;
  calls.fd_close = (fd) => {
    if (!open[fd]) return BADF;
    open[fd] = undefined;
    return 0;
  };
  const given = (data) => { // copy bytes to the engine's memory
    const into = exports.host_alloc(data.length);
    bytes(into, data.length).set(data);
    return into;
  };
  const door = (start, length, into, size) => { // call from Python to the page
    const answer = call(bytes(start, length).slice()), place = given(answer);
    view().setUint32(into, place, true);
    view().setUint32(size, answer.length, true);
    return 0;
  };
  return {
    imports: { wasi_snapshot_preview1: calls, host: { call: door } },
    begin: (instance) => { ({ memory } = exports = instance.exports); },
    given,
    put,
  };
}
