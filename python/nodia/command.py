"""The command `nodia` of an installed package: replaces its process by the program in the package."""

import os
import sys
from pathlib import Path


def environment_of_program(package, inherited):
    """Environment variables with which the program finds Python, the package and its scenarios. Inherited values override
    them."""
    own = {
        "NODIA_PYTHON": sys.executable,
        "NODIA_PYTHON_DIR": str(package.parent),
        "NODIA_SOURCE_DIR": str(package / "data"),
    }
    if not os.path.exists("/proc/self/exe"):  # glibc finds the program's libraries through it
        own["LD_ORIGIN_PATH"] = str(package / "bin")
    return own | dict(inherited)


def main():
    try:
        import nodia  # noqa: F401  (raises ImportError on a CPU that is too old)
    except ImportError as error:
        print(f"nodia: {error}", file=sys.stderr)
        sys.exit(1)
    package = Path(__file__).resolve().parent
    program = package / "bin/nodia"
    os.execve(program, [str(program), *sys.argv[1:]], environment_of_program(package, os.environ))
