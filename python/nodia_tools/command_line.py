"""Shared command-line code of the modules: bad input is reported in one line, with exit code 2."""

import argparse
import contextlib
import errno
import os
import signal
import sys

STREAM_ERRORS = (errno.ENOSPC, errno.EPIPE, errno.EIO, errno.EBADF, errno.EFBIG)


class InputError(Exception):
    """The input is wrong: a file, a value or an argument."""


def one_line(text, longest=1000):
    """Returns `text` for a terminal or a picture: at most `longest` characters, without control characters.

    A terminal would execute the control characters of a text that comes from a file.
    """
    kept = str(text)[:longest]
    return "".join(c if c.isprintable() else " " if c.isspace() else "?" for c in kept) + "..." * (len(str(text)) > longest)


def warn(text):
    print(one_line(text), file=sys.stderr)


class _KeepsExamples(argparse.HelpFormatter):
    """Wraps paragraphs, but does not wrap the lines of the examples."""

    def _fill_text(self, text, width, indent):
        if text.startswith("Examples:"):
            return text
        return super()._fill_text(text, width, indent)


class ArgumentParser(argparse.ArgumentParser):
    """Parser that reports a bad argument in one line. Its help ends with examples.

    @param examples  command lines
    """

    def __init__(self, *, examples=(), **options):
        if examples:
            options["epilog"] = "\n".join(["Examples:", *(f"  {line}" for line in examples)])
        super().__init__(formatter_class=_KeepsExamples, **options)

    def error(self, message):
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


def _output_failed(program, error):
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # Python flushes stdout when it exits
    if error.errno != errno.EPIPE:
        print(
            f"{program}: standard output: cannot be written ({error.strerror})", file=sys.stderr
        )
    return 1


@contextlib.contextmanager
def interrupted_at_once():
    """Context in which Ctrl-C ends the process immediately.

    Needed while libraries are loaded: some catch a KeyboardInterrupt, others crash.
    """
    before = signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def exit_code_of(program, function):
    """Runs `function` and returns the exit code of the program.

    An InputError gives 2 and the line `program: ...`, Ctrl-C gives 130. If standard output cannot be written, the exit
    code is 1; a message is printed unless the reader has closed the pipe.
    """
    try:
        code = function()
        sys.stdout.flush()
        return code
    except OSError as error:
        # An OSError of a stream has no file name. An error of a file names the file and is raised again.
        if error.filename is not None or error.errno not in STREAM_ERRORS:
            raise
        return _output_failed(program, error)
    except InputError as error:
        warn(f"{program}: {error}")
        return 2
    except KeyboardInterrupt:
        return 130
