"""The programs on a CPU that lacks the instructions of the build: one line, no SIGILL."""

import shutil
import subprocess

import pytest
from nodia_command import BINARY, run

QEMU = shutil.which("qemu-x86_64")


@pytest.mark.skipif(QEMU is None, reason="PACKAGE: qemu-user is absent")
@pytest.mark.parametrize("program", ["nodia", "nodia-studies"])
def test_an_older_cpu_is_named_on_one_line(program):
    words = [QEMU, "-cpu", "Nehalem", BINARY.parent / program, "info"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.startswith("nodia: error: this CPU lacks instructions of x86-64-v3, for which this program is compiled")
    assert done.stderr.count("\n") == 1 and "tools/build.sh nodia" in done.stderr


def test_this_cpu_is_good():
    assert run("--version").returncode == 0
