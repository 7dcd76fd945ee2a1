"""Packages that only tests need, each in its folder of a cache: $NODIA_PACKAGE_CACHE, else build/test_packages of the clone."""

import fcntl
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from built_package import SOURCE

CACHE = Path(os.environ.get("NODIA_PACKAGE_CACHE") or SOURCE / "build/test_packages")


def install(folder, make):
    """Makes a folder of the cache once, whatever other processes ask for it; a test skips if that fails, as without network."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / ".complete").exists():
            try:
                make()
            except (subprocess.SubprocessError, OSError) as error:
                pytest.skip(f"PACKAGE: {folder.name} cannot be installed ({error})")
            (folder / ".complete").touch()


def pip(python, *words):
    subprocess.run([python, "-m", "pip", *words], check=True, capture_output=True, timeout=300)


def modules_of(prefix):
    """The folder of the Python modules that pip installs with `--prefix`."""
    return sysconfig.get_path("purelib", vars={"base": str(prefix)})


def install_gmsh():
    """The prefix with Gmsh, as tools/requirements-mesh.txt names it."""
    prefix = CACHE / "gmsh"

    def make():
        requirements = SOURCE / "tools/requirements-mesh.txt"
        pip(sys.executable, "install", "--ignore-installed", "--prefix", prefix, "-r", requirements)
        environment = os.environ | {"PYTHONPATH": modules_of(prefix)}
        # Needs libGL and its like.
        subprocess.run([sys.executable, "-c", "import gmsh"], env=environment, check=True, capture_output=True)

    install(prefix, make)
    return prefix
