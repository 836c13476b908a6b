"""Two processes run the tests: one the notebooks and the browser, the other everything else.

A notebook waits for its kernel and a browser test for JupyterLab, while the process that waits could compute.  So the session
forks once all tests are collected: what waits runs in the fork, and its reports are told here as if they came from here
(progress, failures, durations, junit).  It happens only on Linux, where a fork is safe; elsewhere everything runs in one process.
"""

import os
import signal
import sys
import traceback
from multiprocessing import Pipe

import pytest
from _pytest.runner import runtestprotocol


def waits(item):
    """Whether most of the work of a test is done by another process."""
    return item.path.suffix == ".ipynb" or item.get_closest_marker("browser") is not None


def can_fork(session):
    """A debugger and other plugins that run tests in their own way want one process."""
    config = session.config
    alone = config.option.collectonly or config.option.usepdb or config.option.trace or hasattr(config, "workerinput")
    return sys.platform == "linux" and (os.cpu_count() or 1) > 1 and not alone


@pytest.hookimpl(wrapper=True)
def pytest_runtestloop(session):
    """Fork, if there is something for each of the two processes."""
    here, there = [item for item in session.items if not waits(item)], [item for item in session.items if waits(item)]
    if not (here and there and can_fork(session)):
        return (yield)
    import fcntl  # there is none on Windows

    receiver, sender = Pipe(duplex=False)
    fcntl.fcntl(sender, fcntl.F_SETPIPE_SZ, 2**20)  # the fork goes on while a long test runs here and nobody reads
    fork = os.fork()
    session.items[:] = here if fork else there
    if not fork:
        receiver.close()
        with Quietly(session, sender):
            yield
    sender.close()
    told = Told(session, receiver)
    session.config.pluginmanager.register(told)
    try:
        done = yield
        told.wait()
    finally:
        receiver.close()
        os.kill(fork, signal.SIGINT)  # nothing to it that has ended: a process stays until somebody waits for it
        os.waitpid(fork, 0)
    if missing := {item.nodeid for item in there} - told.names:
        raise session.Failed(
            f"the process that runs notebooks and browser tests ended early; {len(missing)} did not run: {min(missing)}, ..."
        )
    return done


class Quietly:
    """In the fork: tests report to the other process, and nothing else is written."""

    def __init__(self, session, sender):
        self.session, self.sender, self.reports = session, sender, []

    def __enter__(self):
        plugins = self.session.config.pluginmanager
        plugins.register(self)
        self.capture = plugins.getplugin("capturemanager")  # what is captured goes into files of its own
        self.capture.stop_global_capturing()
        self.capture.start_global_capturing()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item, nextitem):
        """Run a test as always, and hand in the reports of a file once it is finished."""
        config = item.config
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
        self.reports.append(
            (item.nodeid, item.location, [config.hook.pytest_report_to_serializable(config=config, report=report) for report in reports])
        )
        if nextitem is None or nextitem.path != item.path:
            self.sender.send(self.reports)
            self.reports = []
        return True

    def __exit__(self, kind, error, _):
        """What was started is stopped (servers, browsers), also after an interruption; the rest of the session is not ours."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            self.capture.stop_global_capturing()
            if kind and not issubclass(kind, (KeyboardInterrupt, BrokenPipeError)):
                traceback.print_exception(error)
            self.session._setupstate.teardown_exact(None)
        finally:
            os._exit(0)


class Told:
    """Reports of the fork are told between two tests."""

    def __init__(self, session, receiver):
        self.session, self.receiver, self.names = session, receiver, set()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self):
        """After each test, whatever has come meanwhile."""
        done = yield
        while self.receiver.poll() and self.tell():
            pass
        return done

    def wait(self):
        """At the end, whatever is still to come."""
        while self.tell():
            if self.session.shouldfail:
                raise self.session.Failed(self.session.shouldfail)
            if self.session.shouldstop:
                raise self.session.Interrupted(self.session.shouldstop)

    def tell(self):
        """One file of tests; false if there are no more."""
        try:
            tests = self.receiver.recv()
        except EOFError:
            return False
        config, hook = self.session.config, self.session.config.hook
        for name, location, reports in tests:
            self.names.add(name)
            hook.pytest_runtest_logstart(nodeid=name, location=location)
            for data in reports:
                hook.pytest_runtest_logreport(report=hook.pytest_report_from_serializable(config=config, data=data))
            hook.pytest_runtest_logfinish(nodeid=name, location=location)
        return True
