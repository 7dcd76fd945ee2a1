"""What the modules' command lines share: one clear line and exit code 2 for bad input."""

import argparse
import os
import sys


class InputError(Exception):
    """Bad input: a file, a value, an argument. Its text is one line."""


class ArgumentParser(argparse.ArgumentParser):
    """Reports a bad argument on one line."""

    def error(self, message):
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


def _finish_output(program):
    """0, or 1 where what was printed has not arrived."""
    try:
        sys.stdout.flush()
        return 0
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # for what Python flushes at its end
        if not isinstance(error, BrokenPipeError):
            print(
                f"{program}: standard output: cannot be written ({error.strerror})", file=sys.stderr
            )
        return 1


def exit_code_of(program, function):
    """Runs `function`; an InputError becomes one line `program: ...` and 2, Ctrl-C becomes 130.

    Output that cannot be written becomes 1, and a line unless its reader has gone.
    """
    try:
        code = function()
        return _finish_output(program) or code
    except OSError:
        if _finish_output(program) == 0:  # it was another file
            raise
        return 1
    except InputError as error:
        print(f"{program}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
