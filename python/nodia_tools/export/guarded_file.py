"""A file for HDF5 to write to, where writes may fail and interrupts come at any moment."""

import io
import signal
import threading

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class GuardedFile(io.RawIOBase):
    """After a write that failed it takes what is written without writing it, and require_sound() tells. An interrupt
    waits for require_sound(), or for close().

    HDF5 that sees a write fail cannot close its file, tells so of every object, and may take the process with it; an
    exception in the midst of a write is a failure, or is lost.
    """

    def __init__(self, path):
        self._file, self._error = open(path, "w+b", buffering=0), None
        self._waiting, self._handlers = None, {}
        if threading.current_thread() is threading.main_thread():
            caught = [number for number in SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
            self._handlers = {number: signal.signal(number, self._wait) for number in caught}

    def _wait(self, number, _):
        self._waiting = number

    def _let_come(self):
        """The interrupt that waits."""
        number, self._waiting = self._waiting, None
        if number is not None:
            raise KeyboardInterrupt

    def require_sound(self):
        """@raises OSError            of the write that failed
        @raises KeyboardInterrupt  that came meanwhile
        """
        self._let_come()
        if self._error is not None:
            raise self._error

    def close(self):
        if self.closed:
            return
        self._file.close()
        super().close()
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        self._let_come()

    def readinto(self, buffer):
        return self._file.readinto(buffer)

    def write(self, data):
        rest = memoryview(data).cast("B")
        size = len(rest)
        try:
            while len(rest) and self._error is None:
                rest = rest[self._file.write(rest) :]
        except OSError as error:
            self._error = error
        return size

    def truncate(self, size=None):
        try:
            return self._file.truncate(size)
        except OSError as error:
            self._error = error

    def seek(self, offset, whence=0):
        return self._file.seek(offset, whence)

    def tell(self):
        return self._file.tell()

    def readable(self):
        return True

    def writable(self):
        return True

    def seekable(self):
        return True
