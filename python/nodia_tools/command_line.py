"""What the modules' command lines share: one clear line and exit code 2 for bad input."""

import argparse
import contextlib
import errno
import os
import signal
import sys

STREAM_ERRORS = (errno.ENOSPC, errno.EPIPE, errno.EIO, errno.EBADF, errno.EFBIG)


class InputError(Exception):
    """Bad input: a file, a value, an argument."""


def one_line(text, longest=1000):
    """Text of a file for a terminal or a picture: without control characters, which a terminal would obey."""
    kept = str(text)[:longest]
    return "".join(c if c.isprintable() else " " if c.isspace() else "?" for c in kept) + "..." * (len(str(text)) > longest)


def warn(text):
    print(one_line(text), file=sys.stderr)


class _KeepsExamples(argparse.HelpFormatter):
    """Fills paragraphs, but not the lines of the examples."""

    def _fill_text(self, text, width, indent):
        if text.startswith("Examples:"):
            return text
        return super()._fill_text(text, width, indent)


class ArgumentParser(argparse.ArgumentParser):
    """Reports a bad argument on one line. Its help ends with examples.

    @param examples  command lines
    """

    def __init__(self, *, examples=(), **options):
        if examples:
            options["epilog"] = "\n".join(["Examples:", *(f"  {line}" for line in examples)])
        super().__init__(formatter_class=_KeepsExamples, **options)

    def error(self, message):
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


def _output_failed(program, error):
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # for what Python flushes at its end
    if error.errno != errno.EPIPE:
        print(
            f"{program}: standard output: cannot be written ({error.strerror})", file=sys.stderr
        )
    return 1


@contextlib.contextmanager
def interrupted_at_once():
    """In it Ctrl-C ends the process. For loading libraries: they catch a KeyboardInterrupt, or crash."""
    before = signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def exit_code_of(program, function):
    """Runs `function`; an InputError becomes one line `program: ...` and 2, Ctrl-C becomes 130.

    Output that cannot be written becomes 1, and a line unless its reader has gone.
    """
    try:
        code = function()
        sys.stdout.flush()
        return code
    except OSError as error:
        # Of a write to a stream: what concerns a file names it.
        if error.filename is not None or error.errno not in STREAM_ERRORS:
            raise
        return _output_failed(program, error)
    except InputError as error:
        warn(f"{program}: {error}")
        return 2
    except KeyboardInterrupt:
        return 130
