"""Creates an output folder atomically: it appears complete or not at all."""

import contextlib
import os
import secrets
import shutil

from nodia_tools.command_line import InputError


class OutputError(Exception):
    """The output cannot be written, for example because the disk is full or read-only. The text is one line."""


def require_new(name, path):
    """Checks that `path` is new or an empty folder, and that its parent folder exists.

    @param name         name of the argument, for messages
    @raises InputError  if the check fails
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
    """Context with a folder NAME.partial-... beside `path`, which is renamed to `path` at the end and deleted after an exception.

    @param path          a path that require_new() accepts; files that another process creates there meanwhile are not replaced
    @raises OutputError  instead of an OSError
    """
    partial = path.absolute().parent / f"{path.name}.partial-{secrets.token_hex(4)}"
    try:
        partial.mkdir()
        yield partial
        _reach_disk(partial)
        os.rename(partial, path)  # replaces an empty folder, but never one with files
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
