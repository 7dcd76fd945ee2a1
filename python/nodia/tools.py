"""Modules of nodia_tools in processes of their own, as the command starts them."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from nodia._core import InputError, RuntimeError


def require(extra, packages):
    """@raises ImportError  for packages of an extra that are not installed"""
    missing = [name for name in packages if find_spec(name) is None]
    if missing:
        raise ImportError(f"{', '.join(missing)} (is missing; pip install 'nodia[{extra}]')")


def words_of(options):
    """Of a command line. @param options  {"frames": 4, "overwrite": True}, those that are None or False left out"""
    words = []
    for name, value in options.items():
        if value is not None and value is not False:
            words += [f"--{name}"] if value is True else [f"--{name}", str(value)]
    return words


def start(module, arguments, **how):
    """The process (subprocess.Popen). It imports no module from the working directory, which may hold a stranger's files.

    @param how  more keywords of subprocess.Popen
    """
    root = str(Path(__file__).absolute().parents[1])
    code = (
        f"import sys; sys.path.insert(0, {root!r}); import runpy; runpy.run_module('nodia_tools', run_name='__main__')"
    )
    words = [sys.executable, "-P", "-c", code, module, *map(str, arguments)]
    return subprocess.Popen(words, env=os.environ | {"PYTHONSAFEPATH": "1"}, text=True, **how)


def printed(module, arguments):
    """What it prints; InputError or RuntimeError where it ends badly."""
    process = start(module, arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    printed, told = process.communicate()
    if process.returncode == 2:
        raise InputError(told.strip())
    if process.returncode != 0:
        raise RuntimeError(told.strip())
    return printed
