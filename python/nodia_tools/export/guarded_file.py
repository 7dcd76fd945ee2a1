"""A file for HDF5 to write to, where writes may fail."""

import io


class GuardedFile(io.RawIOBase):
    """After a write that failed it takes what is written without writing it, and require_sound() tells.

    HDF5 that sees a write fail cannot close its file, tells so of every object, and may take the process with it.
    """

    def __init__(self, path):
        self._file, self._error = open(path, "w+b", buffering=0), None

    def require_sound(self):
        """@raises OSError  of the write that failed"""
        if self._error is not None:
            raise self._error

    def close(self):
        self._file.close()
        super().close()

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
