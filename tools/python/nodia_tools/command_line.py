"""What the modules' command lines share: one clear line and exit code 2 for bad input."""

import argparse
import sys


class InputError(Exception):
    """Bad input: a file, a value, an argument. Its text is one line."""


class ArgumentParser(argparse.ArgumentParser):
    """Reports a bad argument on one line."""

    def error(self, message):
        self.exit(2, f"{self.prog}: {message} (see {self.prog} --help)\n")


def exit_code_of(program, function):
    """Runs `function`; an InputError becomes one line `program: ...` and 2, Ctrl-C becomes 130."""
    try:
        return function()
    except InputError as error:
        print(f"{program}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
