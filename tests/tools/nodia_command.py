"""The nodia command for tests: NODIA_BINARY, else the release build."""

import os
import subprocess
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2]
BINARY = Path(os.environ.get("NODIA_BINARY") or SOURCE / "build/release/bin/nodia").resolve()

CHECKED_HOST = BINARY.parents[1] / "tests/nodia_on_checked_host"

# Programs that every build makes: a test fails if one is absent (fixtures of conftest.py).
needs_nodia = pytest.mark.usefixtures("nodia")
needs_checked_host = pytest.mark.usefixtures("nodia_on_checked_host")

# The CUDA runtime finds no device in this environment, on every machine.
NO_DEVICE = {"CUDA_VISIBLE_DEVICES": ""}

# A soft box that falls on a floor and slides to rest; 8 nodes per cell, fractions of a millisecond per step.
SLIDING_BOX = """\
name: sliding_box
time: {step_s: 0.01, duration_s: 0.3}
bodies:
  box:
    mesh: {box: {size_m: [0.1, 0.1, 0.05], cells: [2, 2, 1]}}
    youngs_modulus_Pa: 1.0e+5
    poissons_ratio: 0.3
    position_m: [0, 0, 0.01]
    velocity_m_s: [0.3, 0, 0]
    friction: 0.4
obstacles:
  floor: {shape: half_space}
checks:
  no_penetration: {check: max_penetration, bound_m: 1.0e-3}
  converged: {check: all_steps_converged}
"""


def run(*arguments, cwd=None, environment=None, timeout=120):
    """Runs `nodia arguments...`; standard output and error as text."""
    return subprocess.run(
        [BINARY, *map(str, arguments)],
        cwd=cwd,
        env=os.environ | (environment or {}),
        capture_output=True,
        text=True,
        timeout=timeout,
    )


def expect_bad_input(done, *words):
    """Exit code 2, nothing on stdout, exactly one line on stderr with these words in it."""
    assert done.returncode == 2, (done.returncode, done.stderr)
    assert done.stdout == ""
    assert done.stderr.endswith("\n") and done.stderr.count("\n") == 1, done.stderr
    for word in words:
        assert word in done.stderr, done.stderr


@pytest.fixture
def scenario(tmp_path):
    """The sliding box as a file."""
    path = tmp_path / "sliding_box.yaml"
    path.write_text(SLIDING_BOX)
    return path
