"""All that the next steps of environments depend on."""

import json
import os
from pathlib import Path

from nodia import _core
from nodia.arguments import cannot_be_written, path_text, shown


class Checkpoint:
    """Of Simulation.save(): a value that can be kept, pickled, sent, written to a file.

    Loaded into a simulation of the same scenes and the same solver, here or in another process of the same build, the steps
    from there have the bits that they would have had.
    """

    def __init__(self, environments, waiting):
        """@param environments  of nodia._core @param waiting  commands that no step has seen yet, by environment"""
        self._environments, self._waiting = environments, waiting

    def __len__(self):
        """Environments."""
        return len(self._environments)

    def to_bytes(self):
        """With a checksum; for machines of the same kind (little-endian)."""
        return _core.checkpoint_bytes(self._environments, json.dumps(self._waiting).encode())

    @classmethod
    def from_bytes(cls, data, source="checkpoint"):
        """@param source  names the bytes in messages @throws InputError for what is damaged, or of another build"""
        if not isinstance(data, bytes | bytearray | memoryview):
            raise TypeError(f"data = {shown(data)} (must be bytes of Checkpoint.to_bytes())")
        environments, waiting = _core.checkpoint_from_bytes(bytes(data), source)
        waiting = json.loads(waiting) if waiting else [{} for _ in environments]
        return cls(environments, waiting)

    def write(self, path):
        """A file, under a temporary name first: at `path` lies the old one or the whole new one."""
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
        """@throws InputError as from_bytes, and where there is no such file"""
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
