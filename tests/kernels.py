"""Kernels that are there at once: forked from one process that has imported the libraries before.

nbval starts a new kernel for each notebook, and most of what it then waits for is the same every time: Python, ipykernel,
matplotlib, scikit-learn.  Here one process imports them once and forks for each notebook: a process of its own, an empty
namespace, nothing left from the notebook before.  nbval knows nothing of it; it is told the name of a kernel, as ever.
What the fork cannot see, a notebook that forgets an import and yet finds the library loaded, ``fstats build`` sees: its kernels are fresh.

    this file serve ADDRESS             imports, listens, forks; ends when its standard input does
    this file launch ADDRESS FILE       what Jupyter takes for the kernel: asks for a fork and lives exactly as long
"""

import json
import os
import socket
import sys
import tempfile

NAME = "fstats-forked"
PRELOADED = (
    *("ipykernel.kernelapp", "ipykernel.ipkernel", "matplotlib.pyplot", "matplotlib.backends.backend_agg", "pandas", "scipy.stats"),
    *("sklearn.datasets", "sklearn.model_selection", "sklearn.neural_network", "fstats.explore", "fstats.plot"),
)


class Kernels:
    """The process that forks, started in the background; Jupyter finds its kernel by the name NAME."""

    def __init__(self):
        import subprocess

        self.folder = tempfile.TemporaryDirectory(prefix="kernels-")
        address = os.path.join(self.folder.name, "socket")
        spec = {
            "argv": [sys.executable, "-I", "-S", __file__, "launch", address, "{connection_file}"],
            "display_name": "Python 3, forked",
            "language": "python",
            "interrupt_mode": "message",  # a signal would reach what Jupyter started, not the fork
        }
        os.makedirs(os.path.join(self.folder.name, "kernels", NAME))
        with open(os.path.join(self.folder.name, "kernels", NAME, "kernel.json"), "w", encoding="utf-8") as file:
            json.dump(spec, file)
        self.path_before = os.environ.get("JUPYTER_PATH")
        os.environ["JUPYTER_PATH"] = os.pathsep.join(filter(None, [self.folder.name, self.path_before]))
        # It listens before anybody asks; whoever asks while it still imports waits in the queue.
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(address)
            listener.listen()
            os.set_inheritable(listener.fileno(), True)
            self.process = subprocess.Popen(
                [sys.executable, __file__, "serve", str(listener.fileno())], stdin=subprocess.PIPE, pass_fds=[listener.fileno()]
            )

    def stop(self):
        """End the process, after the kernels; Jupyter no longer finds it."""
        if self.path_before is None:
            os.environ.pop("JUPYTER_PATH", None)
        else:
            os.environ["JUPYTER_PATH"] = self.path_before
        self.process.stdin.close()
        self.process.wait()
        self.folder.cleanup()


def serve(listener):
    """Import what notebooks import, then fork one kernel for each caller, until standard input ends."""
    import gc
    import importlib
    import select
    import warnings

    warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)  # by OpenBLAS, which provides for forks
    del sys.path[0]  # the folder of this file, which no other kernel sees
    os.environ.setdefault("MPLBACKEND", "module://matplotlib_inline.backend_inline")  # as ipykernel does before anybody imports matplotlib
    for name in PRELOADED:
        importlib.import_module(name)
    sys.modules["pandas"].set_option("display.max_columns", 20)  # its default in a kernel; on import it took this process for a terminal
    gc.collect()
    gc.freeze()  # a fork shares these pages as long as nobody writes into them
    while True:
        ready, _, _ = select.select([listener, sys.stdin], [], [])
        if sys.stdin in ready:
            break
        caller, _ = listener.accept()
        if os.fork() == 0:
            listener.close()
            become_kernel(caller)
        caller.close()
        reap(os.WNOHANG)
    reap(0)


def reap(options):
    """Forget the kernels that have ended."""
    try:
        while os.waitpid(-1, options)[0]:
            pass
    except ChildProcessError:
        pass


def become_kernel(caller):
    """In the fork: take the caller's place (its folder, its environment), and live no longer than the caller does."""
    import threading

    import numpy as np
    from ipykernel.kernelapp import IPKernelApp

    os.setsid()
    with caller.makefile(encoding="utf-8") as file:
        asked = json.loads(file.readline())
    os.chdir(asked["cwd"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    os.environ.pop("JPY_PARENT_PID", None)  # the parent that Jupyter means is the caller
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    np.random.seed()  # noqa: NPY002 - what draws without a seed must differ from notebook to notebook, or nobody would notice

    def follow():
        caller.recv(1)  # nothing ever comes but the end
        os._exit(0)

    threading.Thread(target=follow, daemon=True).start()
    sys.argv = [sys.argv[0]]
    try:
        IPKernelApp.launch_instance(argv=["-f", asked["connection_file"]])
    finally:
        os._exit(0)


def launch(address, connection_file):
    """Ask for a fork and stay until it ends."""
    with socket.socket(socket.AF_UNIX) as kernel:
        kernel.connect(address)
        asked = {"connection_file": connection_file, "cwd": os.getcwd(), "environment": dict(os.environ)}
        kernel.sendall(json.dumps(asked).encode() + b"\n")
        kernel.recv(1)


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        serve(socket.socket(fileno=int(sys.argv[2])))
    else:
        launch(*sys.argv[2:])
