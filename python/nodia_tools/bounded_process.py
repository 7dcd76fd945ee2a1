"""Runs a program with a time limit. At the limit, the program and all its children are killed."""

import os
import selectors
import signal
import subprocess
import time

KEPT = 1 << 16  # number of characters at the end of a stream that are stored
LONGEST_LINE = 1 << 20  # bytes; the rest of a longer line is dropped
POLL_S = 0.05  # longest delay until the end of a program is noticed, if another process keeps its pipes open [s]


class Finished:
    """The outcome of a program.

    @param returncode  None if the program was killed
    @param seconds     elapsed time [s]
    """

    def __init__(self, returncode, stdout, stderr, seconds):
        self.returncode, self.stdout, self.stderr = returncode, stdout, stderr
        self.seconds = seconds


class _Stream:
    """Passes on the lines of a pipe as they arrive, and stores the end of its text."""

    def __init__(self, on_line):
        self.on_line, self.tail, self.line = on_line, "", b""

    def take(self, data):
        *whole, rest = (self.line + data).split(b"\n")
        self.line = rest[:LONGEST_LINE]
        for line in whole:
            self._give(line + b"\n")

    def close(self):
        if self.line:
            self._give(self.line)
            self.line = b""

    def _give(self, line):
        text = line.decode(errors="replace")
        self.tail = (self.tail + text)[-KEPT:]
        self.on_line(text.rstrip("\r\n"))


def _ignore(_):
    pass


def run_bounded(words, end, *, grace_s=1.0, environment=None, on_line=_ignore):
    """Runs a program until `end()`. Killing it takes at most twice `grace_s` longer.

    The program has its own process group, and the entire group is killed. A program that cannot be reaped, because it hangs
    in a driver, is abandoned.

    @param end      returns the time limit on the clock time.monotonic() [s]; called repeatedly, so that the caller can change it
    @param grace_s  time between SIGTERM and SIGKILL [s]
    @param on_line  called with each line of standard output when it arrives; an exception in it ends the program
    """
    started = time.monotonic()
    process = subprocess.Popen(
        list(map(str, words)),
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    streams = {process.stdout: _Stream(on_line), process.stderr: _Stream(_ignore)}
    try:
        returncode = _read(process, streams, end)
    finally:
        _kill_group(process, grace_s)
        for pipe in streams:
            pipe.close()
    output, errors = streams.values()
    return Finished(returncode, output.tail, errors.tail, time.monotonic() - started)


def _read(process, streams, end):
    """Reads the streams until the program ends. Returns its exit code, or None if it has not ended at `end()`."""
    with selectors.DefaultSelector() as selector:
        for pipe in streams:
            os.set_blocking(pipe.fileno(), False)
            selector.register(pipe, selectors.EVENT_READ)
        while True:
            returncode = process.poll()
            left = end() - time.monotonic()
            wait_s = 0 if returncode is not None else min(max(left, 0), POLL_S)
            if selector.get_map():
                ready = [key.fileobj for key, _ in selector.select(wait_s)]
            else:
                ready = []
                time.sleep(wait_s)
            for pipe in ready:
                data = os.read(pipe.fileno(), 1 << 16)
                streams[pipe].take(data)
                if not data:
                    selector.unregister(pipe)
            if left <= 0 or (returncode is not None and not ready):
                for stream in streams.values():
                    stream.close()
                return returncode


def _kill_group(process, grace_s):
    """Kills the process group. This is also done after a normal end, because children may still run."""
    if process.poll() is None:
        _signal_group(process, signal.SIGTERM)
        _wait(process, grace_s)
    _signal_group(process, signal.SIGKILL)
    _wait(process, grace_s)


def _signal_group(process, which):
    try:
        os.killpg(process.pid, which)
    except (ProcessLookupError, PermissionError):
        pass


def _wait(process, seconds):
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        pass
