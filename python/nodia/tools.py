"""Starts modules of nodia_tools in separate processes, as the command does."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from nodia._core import InputError, RuntimeError


def require(extra, packages):
    """@throws ImportError if packages of an extra (pip install 'nodia[EXTRA]') are not installed"""
    missing = [name for name in packages if find_spec(name) is None]
    if missing:
        raise ImportError(f"{', '.join(missing)} (is missing; pip install 'nodia[{extra}]')")


def words_of(options):
    """Words of a command line. @param options  for example {"frames": 4, "overwrite": True}; None and False are omitted"""
    words = []
    for name, value in options.items():
        if value is not None and value is not False:
            words += [f"--{name}"] if value is True else [f"--{name}", str(value)]
    return words


def start(module, arguments, **how):
    """Starts a module of nodia_tools. The process imports no module from the working directory, whose files may be untrusted.

    @param how  additional keywords of subprocess.Popen
    @return the process (subprocess.Popen)
    """
    root = str(Path(__file__).absolute().parents[1])
    code = (
        f"import sys; sys.path.insert(0, {root!r}); import runpy; runpy.run_module('nodia_tools', run_name='__main__')"
    )
    words = [sys.executable, "-P", "-c", code, module, *map(str, arguments)]
    return subprocess.Popen(words, env=os.environ | {"PYTHONSAFEPATH": "1"}, text=True, **how)


def printed(module, arguments):
    """Standard output of a module. @throws InputError if it exits with 2, RuntimeError if it exits with another error"""
    process = start(module, arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    printed, told = process.communicate()
    if process.returncode == 2:
        raise InputError(told.strip())
    if process.returncode != 0:
        raise RuntimeError(told.strip())
    return printed
