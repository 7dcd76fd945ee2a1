"""The program of examples/library, built and run."""

import subprocess

import pytest
from nodia_command import SOURCE

EXAMPLE = SOURCE / "examples/library"


def done(*words):
    result = subprocess.run([*map(str, words)], capture_output=True, text=True)
    assert result.returncode == 0, f"{' '.join(map(str, words))}:\n{result.stdout}{result.stderr}"
    return result.stdout


def forces(folder, *definitions):
    """Of the floor on the ball, step by step [N]: the example built with these definitions of CMake and run."""
    done("cmake", "-S", EXAMPLE, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", *definitions)
    done("cmake", "--build", folder, "--target", "ball_on_floor")
    lines = done(folder / "ball_on_floor").splitlines()
    return [float(line.split()[2]) for line in lines]


def expect_a_ball_that_falls_and_lies(force):
    assert len(force) == 20
    assert force[0] == 0, "it falls from 2 cm above the floor"
    assert max(force) > 20, "the floor stops it within a step"
    assert force[-1] == pytest.approx(9.81, rel=1e-3), "its weight"
