"""The command `nodia` of an installed package: becomes the program that the package holds."""

import os
import sys
from pathlib import Path


def environment_of_program(package, inherited):
    """What tells the program where the package's Python and scenarios are; what is set already counts."""
    own = {
        "NODIA_PYTHON": sys.executable,
        "NODIA_PYTHON_DIR": str(package.parent),
        "NODIA_SOURCE_DIR": str(package / "data"),
    }
    if not os.path.exists("/proc/self/exe"):  # by which glibc finds a program's own libraries
        own["LD_ORIGIN_PATH"] = str(package / "bin")
    return own | dict(inherited)


def main():
    try:
        import nodia  # noqa: F401  (a CPU that is too old is told here)
    except ImportError as error:
        print(f"nodia: {error}", file=sys.stderr)
        sys.exit(1)
    package = Path(__file__).resolve().parent
    program = package / "bin/nodia"
    os.execve(program, [str(program), *sys.argv[1:]], environment_of_program(package, os.environ))
