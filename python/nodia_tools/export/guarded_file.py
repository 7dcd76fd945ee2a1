"""A file object for HDF5 that handles failed writes and interrupts safely."""

import io
import signal
import threading

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class GuardedFile(io.RawIOBase):
    """A file that hides failed writes and interrupts from HDF5.

    After a failed write, the file accepts further data without writing it, and require_sound() raises the error. An interrupt
    is deferred to the next call of require_sound() or close().

    Reason: HDF5 cannot close its file after a failed write. It then prints an error for every object and may crash the process.
    An exception during a write would count as a failed write, or would be lost.
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
        """Raises a deferred interrupt."""
        number, self._waiting = self._waiting, None
        if number is not None:
            raise KeyboardInterrupt

    def require_sound(self):
        """Raises the error of a failed write, or a deferred interrupt.

        @raises OSError            if a write failed
        @raises KeyboardInterrupt  if an interrupt was deferred
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
