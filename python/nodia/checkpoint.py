"""Checkpoints: everything on which the next steps of environments depend."""

import json
import os
from pathlib import Path

from nodia import _core
from nodia.arguments import cannot_be_written, path_text, shown


class Checkpoint:
    """Result of Simulation.save(): a value that can be stored, pickled, sent to another process, or written to a file.

    A simulation of the same scenes with the same solver can load it, also in another process of the same build. The next
    steps then have the same bits as without the interruption.
    """

    def __init__(self, environments, waiting):
        """@param environments  nodia._core.Checkpoint by environment @param waiting  commands since the last step, by
        environment"""
        self._environments, self._waiting = environments, waiting

    def __len__(self):
        """Number of environments."""
        return len(self._environments)

    def to_bytes(self):
        """The checkpoint as little-endian bytes with a checksum."""
        return _core.checkpoint_bytes(self._environments, json.dumps(self._waiting).encode())

    @classmethod
    def from_bytes(cls, data, source="checkpoint"):
        """Checkpoint from the bytes of to_bytes().

        @param source  name of the bytes in messages
        @throws TypeError; InputError if the bytes are damaged or come from another build
        """
        if not isinstance(data, bytes | bytearray | memoryview):
            raise TypeError(f"data = {shown(data)} (must be bytes of Checkpoint.to_bytes())")
        environments, waiting = _core.checkpoint_from_bytes(bytes(data), source)
        waiting = json.loads(waiting) if waiting else [{} for _ in environments]
        return cls(environments, waiting)

    def write(self, path):
        """Writes a file under a temporary name and then renames it, so that `path` is never a partial file.

        @throws RuntimeError if the file cannot be written
        """
        path = Path(path_text("path", path))
        unfinished = path.with_name(f".{path.name}.{os.getpid()}.unfinished")
        try:
            with open(unfinished, "wb") as file:
                file.write(self.to_bytes())
                file.flush()
                os.fsync(file.fileno())
            unfinished.replace(path)
        except OSError as error:
            raise cannot_be_written(path, error) from None
        finally:
            unfinished.unlink(missing_ok=True)

    @classmethod
    def read(cls, path):
        """Checkpoint from a file of write(). @throws InputError as from_bytes(), or if the file cannot be read"""
        try:
            data = Path(path_text("path", path)).read_bytes()
        except OSError as error:
            rule = "must be a file of Checkpoint.write()"
            raise _core.InputError(f"{path}: cannot be read ({error.strerror}; {rule})") from None
        return cls.from_bytes(data, str(path))

    def __reduce__(self):
        return _checkpoint, (self.to_bytes(),)


def _checkpoint(data):
    return Checkpoint.from_bytes(data)
