"""A folder that appears whole or not at all."""

import contextlib
import os
import secrets
import shutil

from nodia_tools.command_line import InputError


class OutputError(Exception):
    """Something outside: a disk that is full or read-only. Its text is one line."""


def require_new(name, path):
    """@raises InputError  where `path` is neither new nor an empty folder, or its folder is none

    @param name  of the argument
    """
    rule = f"{name} = {path} (must be a new or an empty folder"
    if path.is_symlink():
        raise InputError(f"{rule}; it is a link)")
    if path.exists():
        if not path.is_dir():
            raise InputError(f"{rule}; it is a file)")
        if any(path.iterdir()):
            raise InputError(f"{rule}; nothing is replaced)")
    if not path.absolute().parent.is_dir():
        raise InputError(f"{name} = {path} (must lie in a folder that exists)")


@contextlib.contextmanager
def whole_folder(path):
    """Gives a folder beside `path`, NAME.partial-..., which takes its name when the block ends, and goes if it fails.

    @param path          as require_new() accepts it; what appears there meanwhile is not replaced
    @raises OutputError  in the place of an OSError
    """
    partial = path.absolute().parent / f"{path.name}.partial-{secrets.token_hex(4)}"
    try:
        partial.mkdir()
        yield partial
        _reach_disk(partial)
        os.rename(partial, path)  # over an empty folder, never over a full one
        _sync(partial.parent)
    except OSError as error:
        raise OutputError(
            f"{path}: cannot be written ({error.strerror or next(iter(str(error).splitlines()), '')})"
        ) from None
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _sync(path):
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _reach_disk(folder):
    for path in sorted(folder.rglob("*")):
        _sync(path)
    _sync(folder)
